import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { expectNoProcessesLeft, recordedPids } from '../helpers/processes.ts';
import { CLI } from '../helpers/toolsift.ts';
import { createConformanceServer } from './conformance-server.mjs';
import { type OpenSession, serveHttp } from './http-front.ts';
import { runConformance } from './run-conformance.ts';
import { bridgeToStdio } from './stdio-bridge.ts';

const SERVER = fileURLToPath(new URL('./conformance-server.mjs', import.meta.url));
const LIMIT_MS = 180_000;

it('the official conformance suite judges toolsift exactly as the server behind it', {
  timeout: LIMIT_MS,
}, async () => {
  const direct = await judged(async (transport) => {
    const server = createConformanceServer();
    await server.connect(transport);
    return () => server.close();
  });
  const passed = [...direct].filter(([, status]) => status === 'SUCCESS');
  const failed = [...direct].filter(([, status]) => status.startsWith('FAILURE'));
  expect(failed, 'the server itself passes').toEqual([]);
  expect(passed.length).toBeGreaterThanOrEqual(40);

  const home = mkdtempSync(join(tmpdir(), 'toolsift-conformance-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  const config = join(home, 'toolsift.json');
  writeFileSync(
    config,
    JSON.stringify({ servers: { suite: { command: process.execPath, args: [SERVER] } } }),
  );
  const pidsFile = join(home, 'pids');
  const through = await judged((transport) =>
    bridgeToStdio(transport, {
      command: process.execPath,
      args: [CLI, 'mcp', '--config', config, '--only', 'suite'],
      env: {
        ...process.env,
        HOME: home,
        XDG_CACHE_HOME: home,
        XDG_CONFIG_HOME: home,
        XDG_STATE_HOME: home,
        TOOLSIFT_TEST_PIDS: pidsFile,
      },
    }),
  );
  expect(recordedPids(pidsFile).length).toBeGreaterThan(10);
  await expectNoProcessesLeft(pidsFile);
  expect(Object.fromEntries(through)).toEqual(Object.fromEntries(direct));
  console.log(`conformance: ${passed.length} checks pass direct and through toolsift`);
});

async function judged(openSession: OpenSession): Promise<Map<string, string>> {
  const front = await serveHttp(openSession);
  try {
    return await runConformance(front.url);
  } finally {
    await front.close();
  }
}

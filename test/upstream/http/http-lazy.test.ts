import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fixture } from '../../helpers/fixture.ts';
import { startToolsift } from '../../helpers/toolsift.ts';

it('loads nothing of HTTP for a configuration of local servers', async () => {
  const coverage = mkdtempSync(join(tmpdir(), 'toolsift-loaded-'));
  onTestFinished(() => rmSync(coverage, { recursive: true, force: true }));
  const toolsift = await startToolsift({
    servers: { echo: fixture('echo') },
    env: { NODE_V8_COVERAGE: coverage },
  });
  await toolsift.invoke('echo', 'echo', {});
  await toolsift.client.close();
  const reports = readdirSync(coverage).map((file) => readFileSync(join(coverage, file), 'utf8'));
  const loaded = reports.flatMap((report) => [...report.matchAll(/"url":"file:[^"]*\/dist\/([^"]+)"/g)]);
  const names = loaded.map(([, name]) => name);
  expect(names).toContainEqual(expect.stringMatching(/stdio-link/));
  expect(names.filter((name) => /http|sse-|streamable/.test(name ?? ''))).toEqual([]);
});

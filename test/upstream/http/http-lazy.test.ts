import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { serverFor } from '../../fixtures/http/remote.ts';
import { startSseServer } from '../../fixtures/http/sse-server.mjs';
import { fixture } from '../../helpers/fixture.ts';
import { startToolsift, type ToolsiftOptions } from '../../helpers/toolsift.ts';

/** The files of ours that a session loads in which each server is called once. */
async function filesLoadedBy(servers: ToolsiftOptions['servers'], tool: string): Promise<string[]> {
  const coverage = mkdtempSync(join(tmpdir(), 'toolsift-loaded-'));
  onTestFinished(() => rmSync(coverage, { recursive: true, force: true }));
  const toolsift = await startToolsift({ servers, env: { NODE_V8_COVERAGE: coverage } });
  for (const server of Object.keys(servers)) await toolsift.invoke(server, tool, {});
  await toolsift.client.close();
  const reports = readdirSync(coverage).map((file) => readFileSync(join(coverage, file), 'utf8'));
  const loaded = reports.flatMap((report) => [...report.matchAll(/"url":"file:[^"]*(\/dist\/[^"]+)"/g)]);
  return loaded.map(([, path = '']) => path);
}

const DIST = new URL('../../../', import.meta.url);

it('loads nothing of HTTP for a configuration of local servers', async () => {
  const files = await filesLoadedBy({ echo: fixture('echo') }, 'echo');
  expect(files).toContainEqual(expect.stringMatching(/stdio-link/));
  expect(files.filter((file) => /http|sse-|streamable/.test(file))).toEqual([]);
});

it('loads nothing of the SDK for servers of either transport that need no login', async () => {
  const streamable = await serverFor({ hasStream: true });
  const sse = await startSseServer();
  onTestFinished(() => sse.close());
  const files = await filesLoadedBy({ streamable: { url: streamable.url }, sse: { url: sse.url } }, 'do');
  expect(files).toContainEqual(expect.stringMatching(/http-link/));
  expect(files).toContainEqual(expect.stringMatching(/sse-link/));
  const texts = files.map((file) => readFileSync(new URL(`.${file}`, DIST), 'utf8'));
  expect(texts.some((text) => text.includes('mcp-session-id'))).toBe(true);
  // Words of the SDK's schemas and of its login, which no minifier touches.
  expect(texts.filter((text) => /sampling\/createMessage"\)|code_challenge_method/.test(text))).toEqual([]);
});

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import type { Toolsift } from '../helpers/toolsift.ts';
import { userHome } from './user-home.ts';

const SERVERS = { echo: fixture('echo'), docs: fixture('resources-prompts', ['docs']) };
/** A word of each part that no minifier touches. */
const MARKS = {
  search: 'Weak match:',
  zod: 'ZodError',
  sdk: 'code_challenge_method',
  yargs: 'Not enough arguments',
};

interface LoadedFile {
  /** Without the hash. */
  readonly name: string;
  readonly text: string;
}

/** The files of ours that the second session of a user has loaded when it ends. */
async function loadedBy(use: (session: Toolsift) => Promise<void>): Promise<LoadedFile[]> {
  const coverage = mkdtempSync(join(tmpdir(), 'toolsift-loaded-'));
  onTestFinished(() => rmSync(coverage, { recursive: true, force: true }));
  const home = userHome(SERVERS);
  await home.warmUp(...Object.keys(SERVERS));
  const session = await home.session({ env: { NODE_V8_COVERAGE: coverage }, initializes: false });
  await use(session);
  await session.client.close();
  const reports = readdirSync(coverage).map((file) => readFileSync(join(coverage, file), 'utf8'));
  const urls = reports.flatMap((report) => [...report.matchAll(/"url":"(file:[^"]*\/dist\/[^"]+)"/g)]);
  return urls.map(([, url = '']) => ({
    name: url.replace(/^.*\/dist\//, '').replace(/-[\w-]{8}\.js$/, ''),
    text: readFileSync(new URL(url), 'utf8'),
  }));
}

const names = (files: readonly LoadedFile[]): string[] =>
  [...new Set(files.map(({ name }) => name))].toSorted();
const having = (files: readonly LoadedFile[], mark: string): string[] =>
  files.filter(({ text }) => text.includes(mark)).map(({ name }) => name);

it('answers initialize with one file beside the one that was started and the bundler’s helpers, and nothing of search in it', async () => {
  const files = await loadedBy(async ({ client }) => {
    await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} });
  });
  expect(names(files)).toEqual(['chunks/mcp', 'chunks/rolldown-runtime', 'cli.js']);
  for (const mark of Object.values(MARKS)) expect(having(files, mark)).toEqual([]);
});

it('loads search for the first search, and neither zod nor the SDK nor the command line in a whole session', async () => {
  const files = await loadedBy(async (session) => {
    await session.client.initialize({});
    await session.toolNames();
    await session.call('search_tools', { query: 'repeat the arguments it was given' });
    await session.invoke('echo', 'echo', { word: 'hi' });
    await session.client.ask('resources/list', {});
    await session.call('list_servers', {});
  });
  expect(names(files)).toEqual([
    'chunks/mcp',
    'chunks/rolldown-runtime',
    'chunks/search',
    'chunks/server-log',
    'chunks/stdio-link',
    'cli.js',
  ]);
  expect(having(files, MARKS.search)).toEqual(['chunks/search']);
  for (const mark of [MARKS.zod, MARKS.sdk, MARKS.yargs]) expect(having(files, mark)).toEqual([]);
});

import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeCacheFile } from '../../src/catalog/cache-file.ts';
import { fixture } from '../helpers/fixture.ts';
import { textOf } from '../helpers/message.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { readIfThere, type UserHome, userHome } from './user-home.ts';

const SERVERS = { echo: fixture('echo'), slow: fixture('slow') };

async function warmHome(): Promise<{ home: UserHome; echoFile: string }> {
  const home = userHome(SERVERS);
  await home.warmUp('echo', 'slow');
  const [echoFile = ''] = home.cacheFiles();
  return { home, echoFile };
}

const HEADER =
  '{"readAt":1,"initializeParams":2,"initializeResult":2,"tools":[],"resources":[],"resourceTemplates":[],"prompts":[],"index":0}';

function writeWithChecksum(file: string, rest: string): void {
  writeFileSync(file, `toolsift-catalog 1 ${crc32(rest)}\n${rest}`);
}

function isWhole(file: string): boolean {
  return decodeCacheFile('', readFileSync(file)) !== undefined;
}

/** A session that has to start `echo` anew and finds its tools. */
async function expectRecovery(home: UserHome) {
  const session = await home.session({ awaits: ['echo', 'slow'] });
  expect(textOf(await session.invoke('echo', 'echo', { a: 1 }))).toBe('{"a":1}');
  expect(session.pids, 'only what is not known is started').toHaveLength(1);
  return session;
}

describe('a damaged catalog', () => {
  it.each<[string, (file: string) => void]>([
    ['cut short', (file) => truncateSync(file, 100)],
    [
      'of another format',
      (file) => writeFileSync(file, 'toolsift-catalog 999 0\n{"tools":[["evil",2]]}\n{}'),
    ],
    ['with a right checksum and no header', (file) => writeWithChecksum(file, 'nonsense')],
    ['with a right checksum and an empty header', (file) => writeWithChecksum(file, '{}\n')],
    ['with a right checksum and null for a header', (file) => writeWithChecksum(file, 'null\n')],
    [
      'with a right checksum and parts that are not there',
      (file) => writeWithChecksum(file, `${HEADER.replace('"tools":[]', '"tools":[["evil",9]]')}\n{}{}`),
    ],
    [
      'with a right checksum and texts that are no JSON',
      (file) => writeWithChecksum(file, `${HEADER}\nnope`),
    ],
    [
      'with a right checksum and a tool that is no JSON',
      (file) => writeWithChecksum(file, `${HEADER.replace('"tools":[]', '"tools":[["evil",4]]')}\n{}{}nope`),
    ],
  ])('that is %s is told of once, not believed, and replaced', async (_, damage) => {
    const { home, echoFile } = await warmHome();
    damage(echoFile);
    const session = await expectRecovery(home);
    const lines = session.client.stderr.split('\n').filter((line) => line.includes('kept catalog'));
    expect(lines).toEqual([expect.stringContaining('"echo"')]);
    expect(textOf(await session.call('search_tools', { query: 'evil' }))).not.toContain('evil"');
    await waitFor('it is replaced', () => home.cacheFiles().length === 2 && home.cacheFiles().every(isWhole));
  });

  it('costs the next session a start when it is gone', async () => {
    const { home, echoFile } = await warmHome();
    rmSync(echoFile);
    await expectRecovery(home);
    await waitFor('it is there again', () => readIfThere(echoFile) !== '');
  });

  it('that cannot be kept at all stops nothing', async () => {
    const home = userHome(SERVERS);
    mkdirSync(join(home.folder, 'cache'));
    writeFileSync(home.cacheFolder, 'a file where the folder should be');
    const session = await home.session({ awaits: ['echo', 'slow'] });
    expect(textOf(await session.invoke('echo', 'echo', { a: 1 }))).toBe('{"a":1}');
  });

  it('without a secret for its names stops nothing', async () => {
    const home = userHome(SERVERS);
    writeFileSync(join(home.folder, 'data'), 'a file where the folder should be');
    const session = await home.session({ awaits: ['echo', 'slow'] });
    expect(textOf(await session.invoke('echo', 'echo', { a: 1 }))).toBe('{"a":1}');
  });

  it('is whole when several sessions write it at once', async () => {
    const home = userHome(SERVERS);
    const sessions = await Promise.all([1, 2, 3].map(() => home.session()));
    for (const session of sessions) await session.listed('echo', 'slow');
    await waitFor('all is kept', () => home.cacheFiles().length === 2 && home.cacheFiles().every(isWhole));
    const next = await home.session();
    expect(await next.server('slow')).toMatchObject({ tools: 5, state: 'idle' });
  });

  it('leaves nothing temporary behind', async () => {
    const { home } = await warmHome();
    await home.run('refresh');
    expect([...home.everything().keys()].filter((file) => /\.(tmp|lock)$/.test(file))).toEqual([]);
    expect(home.cacheFiles()).toHaveLength(2);
  });
});

describe('toolsift that is killed outright', () => {
  // `npm run soak` does the same fifty times, with larger lists.
  it('at any moment of its start or of a refresh leaves a catalog that the next session can use', async () => {
    const { home } = await warmHome();
    for (let turn = 0; turn < 5; turn++) {
      if (turn % 2 === 0) for (const file of home.cacheFiles()) rmSync(file);
      const moment = performance.now() + 60 + turn * 110;
      const victim = home.command([turn % 2 === 1 ? 'refresh' : 'mcp']);
      victim.initialize().catch(() => {});
      await waitFor('the moment has come', () => performance.now() > moment);
      victim.kill('SIGKILL');
      await victim.exited;
      for (const file of home.cacheFiles().filter((name) => name.endsWith('.catalog'))) {
        expect(isWhole(file), `${file} after kill ${turn}`).toBe(true);
      }
    }
    const session = await home.session({ awaits: ['echo', 'slow'] });
    expect(textOf(await session.invoke('slow', 'say'))).toBe('called say');
  });
});

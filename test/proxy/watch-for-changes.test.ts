import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { createLogger } from '../../src/log.ts';
import { ToolProxy } from '../../src/proxy/proxy.ts';
import { requestRestart } from '../../src/proxy/restart-requests.ts';
import { watchForChanges } from '../../src/proxy/watch-for-changes.ts';
import { fixture } from '../helpers/fixture.ts';
import { waitFor } from '../helpers/wait-for.ts';

/** A proxy whose configuration and requests are watched; none of its servers runs unless it is asked to. */
async function watching(servers: object) {
  const folder = mkdtempSync(join(tmpdir(), 'toolsift-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'toolsift.json');
  const write = (value: unknown) =>
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify({ servers: value }));
  write(servers);
  const logged: string[] = [];
  const log = createLogger('debug', (line) => logged.push(line));
  const config = await loadConfig({ flag: file });
  const proxy = new ToolProxy({ config, log, version: '1.2.3' });
  const dataFolder = join(folder, 'data');
  const unwatch = watchForChanges(proxy, {
    config,
    dataFolder,
    loginFolder: join(dataFolder, 'logins'),
    log,
  });
  onTestFinished(async () => {
    unwatch();
    await proxy.close();
  });
  // Watching begins with a look at the file, which those of ours come after.
  for (const _ of [1, 2]) await stat(file);
  const says = (text: string) => waitFor(text, () => logged.some((line) => line.includes(text)));
  const names = () => [...proxy.own.upstreams.keys()];
  return { proxy, file, folder, dataFolder, write, logged, says, names, unwatch };
}

const echo = fixture('echo');

describe('watchForChanges', () => {
  it('applies what was edited and keeps the servers whose entry is the same', async () => {
    const { proxy, write, says, names } = await watching({ a: echo, b: echo, c: echo });
    const [a, b] = [proxy.own.upstreams.get('a'), proxy.own.upstreams.get('b')];
    write({ d: echo, b: { ...echo, env: { X: '1' } }, a: echo });
    await says('3 servers');
    expect(names()).toEqual(['d', 'b', 'a']);
    expect(proxy.own.upstreams.get('a')).toBe(a);
    expect(proxy.own.upstreams.get('b')).not.toBe(b);
    expect(b?.status.state).toMatch(/^stopp/);
  });

  it('takes an entry for the same whose keys have changed places', async () => {
    const { proxy, write, says } = await watching({ a: { ...echo, env: { X: '1', Y: '2' } } });
    const a = proxy.own.upstreams.get('a');
    write({ a: { env: { Y: '2', X: '1' }, args: echo.args, command: echo.command } });
    await says('1 server');
    expect(proxy.own.upstreams.get('a')).toBe(a);
  });

  it.each([
    ['no JSON', '{ "servers": {', 'line 1'],
    ['an unknown key', '{ "server": {} }', 'did you mean "servers"'],
    ['nothing', '', 'cannot be used'],
  ])('keeps what it has when the file says %s, and tells why', async (_, text, why) => {
    const { write, says, names, logged } = await watching({ a: echo });
    write(text);
    await says('has changed but cannot be used, so what was read before stays');
    expect(logged.join('')).toContain(why);
    expect(names()).toEqual(['a']);
    write({ a: echo, b: echo });
    await says('2 servers');
    expect(names()).toEqual(['a', 'b']);
  });

  it('keeps what it has when the file is gone, and sees it come back', async () => {
    const { file, folder, says, names, write } = await watching({ a: echo });
    renameSync(file, join(folder, 'aside.json'));
    await says('cannot be used');
    expect(names()).toEqual(['a']);
    write({ b: echo });
    await says('1 server');
    expect(names()).toEqual(['b']);
  });

  it('gives a server with a mistake in its entry that mistake for a reason', async () => {
    const { proxy, write, says } = await watching({ a: echo, b: echo });
    const b = proxy.own.upstreams.get('b');
    write({ a: { command: 7 }, b: echo });
    await says('2 servers');
    expect(proxy.own.upstreams.get('a')?.status).toMatchObject({ state: 'failed' });
    expect(proxy.own.upstreams.get('b')).toBe(b);
  });

  it('restarts a server that somebody asks for, and minds no request for another', async () => {
    const { proxy, dataFolder, says } = await watching({ a: echo });
    const before = await proxy.own.upstreams.get('a')?.acquire();
    requestRestart(dataFolder, 'elsewhere');
    await says('restarting server "elsewhere"');
    requestRestart(dataFolder, 'a');
    await says('server "a" is idle');
    expect(await proxy.own.upstreams.get('a')?.acquire()).not.toBe(before);
  });

  it('ends when it is told to', async () => {
    const { unwatch, write, logged } = await watching({ a: echo });
    const other = await watching({ a: echo });
    unwatch();
    write({ b: echo });
    other.write({ b: echo });
    await other.says('1 server');
    expect(logged.join('')).not.toContain('again');
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { textOf } from '../helpers/message.ts';
import { expectNoProcessesLeft, isAlive } from '../helpers/processes.ts';
import { RawClient } from '../helpers/raw-client.ts';
import { CLI } from '../helpers/toolsift.ts';
import { waitFor, within } from '../helpers/wait-for.ts';
import { type Entry, userHome } from './user-home.ts';

const EXIT_LIMIT_MS = 9_000;

/** A server behind a shell that waits for it, as in a script that does something afterwards. */
function behindShell(name: string): Entry {
  const { command, args = [] } = fixture(name);
  return { command: '/bin/sh', args: ['-c', `"${command}" "${args[0]}"; true`] };
}

const SIGNALS = [
  ['SIGTERM', 143, { shell: behindShell('echo') }],
  ['SIGINT', 130, { shell: behindShell('slow'), echo: fixture('echo') }],
  ['SIGHUP', 129, { shell: behindShell('ignores-sigterm'), launcher: fixture('spawns-grandchild') }],
] as const;

describe('toolsift that ends', () => {
  it.each(SIGNALS)(
    'by %s stops all, also behind shells, and exits with %i',
    async (signal, code, servers) => {
      const home = userHome(servers);
      const session = await home.session({ awaits: Object.keys(servers) });
      session.client.kill(signal);
      expect(await within('exit', EXIT_LIMIT_MS, session.client.exited)).toEqual({ code, signal: null });
      expect(session.pids.filter(isAlive)).toEqual([]);
    },
  );

  it('by a second signal ends at once and leaves nothing', async () => {
    const home = userHome({ stubborn: fixture('ignores-sigterm') });
    const session = await home.session({ awaits: ['stubborn'] });
    const began = performance.now();
    session.client.kill('SIGTERM');
    await waitFor('the first is heard', async () => {
      session.client.kill('SIGTERM');
      return session.client.hasExited;
    });
    expect(performance.now() - began).toBeLessThan(1_500);
    await expectNoProcessesLeft(session.pidsFile);
  });

  it('by an error nobody foresaw tells of it and leaves nothing', async () => {
    const home = userHome({ echo: fixture('echo'), shell: behindShell('slow') });
    const throws = "process.on('SIGUSR2', () => { throw new Error('nobody foresaw this'); })";
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(throws)}` };
    const session = await home.session({ awaits: ['echo', 'shell'], env });
    session.client.kill('SIGUSR2');
    expect(await within('exit', EXIT_LIMIT_MS, session.client.exited)).toEqual({ code: 1, signal: null });
    expect(session.client.stderr).toContain('nobody foresaw this');
    expect(session.pids.filter(isAlive)).toEqual([]);
  });

  it('in the middle of many starts leaves none of them', async () => {
    const names = Array.from({ length: 12 }, (_, number) => `s${number}`);
    const home = userHome(Object.fromEntries(names.map((name) => [name, fixture('echo')])));
    const session = await home.session();
    await waitFor('some have begun', () => session.pids.length >= 2);
    expect(await session.client.close()).toEqual({ code: 0, signal: null });
    await expectNoProcessesLeft(session.pidsFile);
  });

  it('by SIGKILL of its parent sees its stdin end', async () => {
    const home = userHome({ echo: fixture('echo'), launcher: behindShell('echo') });
    const script = `const child = require('node:child_process').spawn(process.execPath,
      ${JSON.stringify([CLI, 'mcp', '--config', home.configFile])}, { stdio: ['pipe', 'pipe', 'ignore'] });
      child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",' +
        '"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\\n' +
        '{"jsonrpc":"2.0","method":"notifications/initialized"}\\n');
      console.log(child.pid);`;
    const env = { ...process.env, ...home.env, TOOLSIFT_TEST_PIDS: home.pidsFile };
    const parent = spawn(process.execPath, ['-e', script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [said] = (await once(parent.stdout, 'data')) as [Buffer];
    await waitFor('both servers are known', () => home.cacheFiles().length === 2);
    parent.kill('SIGKILL');
    await waitFor('toolsift has left', () => !isAlive(Number(said.toString())));
    await expectNoProcessesLeft(home.pidsFile);
  });

  it('by SIGKILL leaves no server, behind a shell or not, that heeds the end of its stdin', async () => {
    const home = userHome({ echo: fixture('echo'), shell: behindShell('slow') });
    const session = await home.session({ awaits: ['echo', 'shell'] });
    session.client.kill('SIGKILL');
    await session.client.exited;
    await expectNoProcessesLeft(session.pidsFile);
  });

  it('while nobody reads its stderr any more does so only when its client leaves', async () => {
    const home = userHome({ crash: fixture('crash-on-call'), echo: fixture('echo') });
    await home.warmUp('crash', 'echo');
    const env = { ...process.env, ...home.env, TOOLSIFT_TEST_PIDS: home.pidsFile };
    const unread = ['-c', 'exec "$0" "$@" 2> >(exec true)', process.execPath, CLI, 'mcp'];
    const client = new RawClient('bash', [...unread, '--config', home.configFile], { env });
    onTestFinished(() => client.kill('SIGKILL'));
    await client.initialize();
    const invoke = (server: string, name: string) =>
      client.ask('tools/call', { name: 'invoke_tool', arguments: { server, name } }, { limitMs: 2_500 });
    for (const _ of [1, 2]) expect((await invoke('crash', 'crash')).result).toMatchObject({ isError: true });
    expect(textOf(await invoke('echo', 'show_request'))).toContain('show_request');
    expect(await client.close()).toEqual({ code: 0, signal: null });
  });
});

describe('a server that ends while toolsift goes on', () => {
  it('takes the processes with it that it has started', async () => {
    const home = userHome({ shell: behindShell('crash-on-call'), echo: fixture('echo') });
    const session = await home.session({ awaits: ['shell', 'echo'] });
    const answer = await session.invoke('shell', 'crash');
    expect(textOf(answer)).toContain('panic: index out of range');
    await waitFor('what was behind the shell is gone', () => session.pids.filter(isAlive).length === 1);
    expect(textOf(await session.invoke('echo', 'echo', { a: 1 }))).toBe('{"a":1}');
  });
});

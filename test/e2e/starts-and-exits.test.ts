import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, textOf } from '../helpers/message.ts';
import { RawClient, resultText } from '../helpers/raw-client.ts';
import { CLI, startToolsift } from '../helpers/toolsift.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { userHome } from './user-home.ts';

describe('a server that exits while a child of it holds its stdout', () => {
  it('fails the call with its exit code, leaves no child, and is started again by the next call', async () => {
    const toolsift = await startToolsift({ servers: { holds: fixture('child-holds-stdout') } });
    const failed = await toolsift.invoke('holds', 'leave', {}, { limitMs: 10_000 });
    expect(at(failed.result, '_meta', 'toolsift/error')).toBe('upstream_exited');
    expect(textOf(failed)).toContain('exited with code 7');
    expect(textOf(await toolsift.invoke('holds', 'say'))).toBe('said');
  });
});

describe('the first call of a server that is started by it', () => {
  it('finds the roots of the client in place', async () => {
    const home = userHome({ rooted: fixture('asks-roots-first') });
    await home.warmUp('rooted');
    const session = await home.session({
      capabilities: { roots: { listChanged: true } },
      prepare: (client) =>
        client.handle('roots/list', () => resultText({ roots: [{ uri: 'file:///work' }] })),
    });
    expect(textOf(await session.invoke('rooted', 'show_roots'))).toContain('file:///work');
  });
});

describe.skipIf(process.platform === 'win32')('more servers than file descriptors', () => {
  it('fail one by one with a reason that quotes no argument, and toolsift stays', async () => {
    const limit = spawnSync('sh', ['-c', 'ulimit -n 60 && ulimit -n'], { encoding: 'utf8' }).stdout.trim();
    expect(limit).toBe('60');
    const names = Array.from({ length: 24 }, (_, number) => `s${number}`);
    const home = userHome(
      Object.fromEntries(names.map((name) => [name, fixture('echo', ['--token=hunter2-in-an-argument'])])),
    );
    const client = new RawClient(
      'sh',
      ['-c', 'ulimit -n 60; exec "$@"', 'sh', process.execPath, CLI, 'mcp', '--config', home.configFile],
      { env: { ...process.env, ...home.env, TOOLSIFT_TEST_PIDS: home.pidsFile } },
    );
    try {
      await client.initialize({});
      const states = async () => {
        const { result } = await client.ask('tools/call', { name: 'list_servers', arguments: {} });
        return String(at(result, 'content', '0', 'text') ?? JSON.stringify(result));
      };
      const text = await waitFor(
        'some have failed',
        async () => {
          const said = await states();
          return said.includes('may open no more files') && said.includes('"ready"') ? said : undefined;
        },
        30_000,
      );
      expect(text + client.stderr).not.toContain('hunter2-in-an-argument');
      expect(client.hasExited).toBe(false);
    } finally {
      await client.close();
    }
  }, 60_000);
});

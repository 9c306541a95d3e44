import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, jsonOf, textOf } from '../helpers/message.ts';
import { expectNoProcessesLeft, isAlive } from '../helpers/processes.ts';
import { startToolsift } from '../helpers/toolsift.ts';
import { waitFor, within } from '../helpers/wait-for.ts';

const EXIT_LIMIT_MS = 9_000;

/** Every test ends by proving that no process is left; see `Toolsift.stop`. */
describe('toolsift leaves no process behind', () => {
  it('when its stdin ends, however stubborn its servers are', async () => {
    const toolsift = await startToolsift({
      servers: {
        echo: fixture('echo'),
        stubborn: fixture('ignores-sigterm'),
        launcher: fixture('spawns-grandchild'),
        silent: fixture('never-initializes'),
      },
      awaits: ['echo', 'stubborn', 'launcher'],
    });
    await waitFor('launcher, its grandchild and three servers run', () => toolsift.pids.length === 5);
    toolsift.client.endInput();
    expect(await within('exit', EXIT_LIMIT_MS, toolsift.client.exited)).toEqual({ code: 0, signal: null });
    expect(toolsift.pids.filter(isAlive)).toEqual([]);
  });

  it('when it gets SIGTERM, however stubborn its servers are', async () => {
    const toolsift = await startToolsift({
      servers: { stubborn: fixture('ignores-sigterm'), launcher: fixture('spawns-grandchild') },
    });
    toolsift.client.kill('SIGTERM');
    await within('exit', EXIT_LIMIT_MS, toolsift.client.exited);
    expect(toolsift.pids.filter(isAlive)).toEqual([]);
  });

  it.each(['SIGINT', 'SIGHUP'] as const)('when it gets %s with a call in flight', async (signal) => {
    const toolsift = await startToolsift({ servers: { slow: fixture('slow'), echo: fixture('echo') } });
    const call = toolsift.invoke('slow', 'work');
    await waitFor('the call runs', () => toolsift.received('slow', 'tools/call').length === 1);
    toolsift.client.kill(signal);
    expect((await call).result, 'the client is told').toMatchObject({ isError: true });
    await within('exit', EXIT_LIMIT_MS, toolsift.client.exited);
    expect(toolsift.pids.filter(isAlive)).toEqual([]);
  });

  it('when nobody reads what it writes any more', async () => {
    const toolsift = await startToolsift({ servers: { echo: fixture('echo') } });
    toolsift.client.breakOutput();
    for (const id of [1_001, 1_002]) toolsift.client.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
    await within('exit', EXIT_LIMIT_MS, toolsift.client.exited);
  });

  it('when it is killed outright: its servers see their stdin end', async () => {
    const toolsift = await startToolsift({ servers: { echo: fixture('echo'), slow: fixture('slow') } });
    toolsift.client.kill('SIGKILL');
    await toolsift.client.exited;
    await expectNoProcessesLeft(toolsift.pidsFile);
  });

  it('when it ends before its servers have started', async () => {
    const toolsift = await startToolsift({ servers: { echo: fixture('echo') }, awaits: [] });
    expect(await toolsift.client.close()).toEqual({ code: 0, signal: null });
  });
});

describe('one bad server is one bad server', () => {
  it('a missing command is told of, with its name, and nothing else suffers', async () => {
    const toolsift = await startToolsift({
      servers: { missing: { command: 'no-such-command-anywhere' }, echo: fixture('echo') },
      awaits: ['echo'],
    });
    const entry = await waitFor('the state is known', async () => {
      const server = await toolsift.server('missing');
      return at(server, 'state') === 'failed' && server;
    });
    expect(JSON.stringify(entry)).toContain('no-such-command-anywhere');
    const answer = await toolsift.invoke('missing', 'anything');
    expect(answer.result).toMatchObject({ isError: true });
    expect(textOf(answer)).toContain('no-such-command-anywhere');
    expect(textOf(await toolsift.invoke('echo', 'echo', { a: 1 }))).toBe('{"a":1}');
  });

  it('a crash at the start is told of, with exit code and last words, and not repeated without end', async () => {
    const toolsift = await startToolsift({
      servers: { broken: fixture('crash-on-start'), echo: fixture('echo') },
      awaits: ['echo'],
    });
    const answer = await toolsift.invoke('broken', 'anything');
    expect(answer.result).toMatchObject({ isError: true });
    for (const word of ['broken', '3', 'cannot open database file']) expect(textOf(answer)).toContain(word);
    const entry = JSON.stringify(await toolsift.server('broken'));
    expect(entry).toContain('cannot open database file');
    expect(toolsift.pids.length).toBeLessThan(8);
  });

  it('a server that never answers holds up nobody', async () => {
    const toolsift = await startToolsift({
      servers: { silent: fixture('never-initializes'), echo: fixture('echo') },
      awaits: ['echo'],
    });
    expect(await toolsift.server('silent')).toMatchObject({ state: 'starting', tools: 0 });
    const answer = jsonOf(await toolsift.call('search_tools', { query: 'repeat the arguments' }));
    expect(at(answer, 'tools', 0)).toMatchObject({ server: 'echo', name: 'echo' });
    expect(JSON.stringify(at(answer, 'unavailable'))).toContain('silent');
  });

  it('noise on stderr and stdout is not the protocol', async () => {
    const toolsift = await startToolsift({
      servers: { noisy: fixture('noisy-stderr'), garbage: fixture('garbage-stdout') },
    });
    for (const server of ['noisy', 'garbage', 'noisy', 'garbage']) {
      expect(textOf(await toolsift.invoke(server, 'say'))).toBe('said');
    }
  });

  it('a disabled server is listed and never started', async () => {
    const toolsift = await startToolsift({
      servers: { off: fixture('echo', [], { disabled: true }), on: fixture('echo') },
      awaits: ['on'],
    });
    expect(await toolsift.server('off')).toMatchObject({ state: 'disabled' });
    const answer = await toolsift.invoke('off', 'echo');
    expect(answer.result).toMatchObject({ isError: true });
    expect(textOf(answer)).toContain('disabled');
    expect(toolsift.pids).toHaveLength(1);
  });
});

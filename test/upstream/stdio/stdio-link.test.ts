import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StdioServerConfig } from '../../../src/config/config.ts';
import type { ToolsiftError } from '../../../src/errors.ts';
import { Peer } from '../../../src/jsonrpc/peer.ts';
import { DescriptorGate } from '../../../src/upstream/stdio/descriptor-gate.ts';
import { LiveGroups } from '../../../src/upstream/stdio/live-groups.ts';
import { StdioLink } from '../../../src/upstream/stdio/stdio-link.ts';
import { expectNoProcessesLeft, recordedPids } from '../../helpers/processes.ts';
import { waitFor } from '../../helpers/wait-for.ts';
import { ignoring } from '../../jsonrpc/messages.ts';
import { fixtureConfig, stdioConfig } from '../server-config.ts';

/** A peer on a process; at the end of the test it is stopped, and nothing of it may be left. */
function open(config: StdioServerConfig, maxMessageBytes = 10_000_000) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolsift-stdio-')));
  const pidsFile = join(folder, 'pids');
  const env = { TOOLSIFT_TEST_PIDS: pidsFile, ...config.env };
  const link = new StdioLink(
    { ...config, env },
    { maxMessageBytes, groups: new LiveGroups(), descriptors: new DescriptorGate(), logFolder: undefined },
  );
  let tell: (reason: ToolsiftError) => void = () => {};
  const closed = new Promise<ToolsiftError>((resolve) => {
    tell = resolve;
  });
  const peer = new Peer(link, { ...ignoring, onclose: (reason) => tell(reason as ToolsiftError) });
  onTestFinished(async () => {
    await peer.close();
    await expectNoProcessesLeft(pidsFile);
    rmSync(folder, { recursive: true });
  });
  return { peer, closed, pidsFile, folder };
}

const HELLO = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}';
const call = (peer: Peer, name: string, args = '{}') =>
  peer.request('tools/call', `{"name":"${name}","arguments":${args}}`);

describe('StdioLink', () => {
  it('runs the command with its arguments, folder and environment on top of our own', async () => {
    const config = fixtureConfig('echo');
    const { peer, folder } = open({
      ...config,
      args: [...config.args, 'one', 'two words', ''],
      env: { OWN_SETTING: 'set' },
      cwd: realpathSync(tmpdir()),
    });
    await peer.start();
    const answer = await call(peer, 'show_process', '{"names":["OWN_SETTING","PATH"]}');
    const result = JSON.parse(answer.bytes.toString()) as { result: { content: { text: string }[] } };
    expect(JSON.parse(result.result.content[0]?.text ?? '')).toEqual({
      argv: ['one', 'two words', ''],
      cwd: realpathSync(tmpdir()),
      env: { OWN_SETTING: 'set', PATH: process.env.PATH },
    });
    expect(folder).not.toBe(process.cwd());
  });

  it.each([
    [
      'a command that is not there',
      { command: 'toolsift-no-such-command' },
      /"toolsift-no-such-command" was not found on PATH/,
    ],
    [
      'a path that is not there',
      { command: '/nowhere/server' },
      /"\/nowhere\/server" was not found; install it/,
    ],
    ['a file that cannot be run', { command: new URL(import.meta.url).pathname }, /is not executable/],
    ['a folder that is not there', { cwd: '/nowhere' }, /"cwd" \/nowhere is not a folder/],
  ])('says what is wrong with %s', async (_, more, message) => {
    const { peer } = open(stdioConfig(more));
    await expect(peer.start()).rejects.toMatchObject({
      code: 'server_config_invalid',
      message: expect.stringMatching(message),
    });
  });

  it('tells how a process ended and what it said last', async () => {
    const { peer, closed } = open(fixtureConfig('crash-on-start'));
    await peer.start();
    expect(await closed).toMatchObject({
      code: 'upstream_exited',
      message: 'exited with code 3; last output: fatal: cannot open database file',
    });
  });

  it('tells the signal that ended a process in the middle of a call', async () => {
    const { peer } = open(fixtureConfig('crash-on-call'));
    await peer.start();
    await peer.request('initialize', HELLO);
    await expect(call(peer, 'crash', '{"signal":"SIGSEGV"}')).rejects.toMatchObject({
      code: 'upstream_exited',
      message: 'was ended by SIGSEGV; last output: panic: index out of range',
    });
  });

  it('says why a process ended, where its stderr arrives after its exit', async () => {
    const script = '(sleep 0.1; echo fatal: no database >&2) 1>&- & exec 1>&-; exit 4';
    const { peer, closed } = open(stdioConfig({ command: 'sh', args: ['-c', script] }));
    await peer.start();
    expect((await closed).message).toBe('exited with code 4; last output: fatal: no database');
  });

  it('hides what the entry keeps secret from what the process said', async () => {
    const script =
      'process.stderr.write("bad key " + process.env.MY_KEY + " " + process.argv[1]); process.exit(1)';
    const { peer, closed } = open(stdioConfig({ args: ['-e', script, 'x'], env: { MY_KEY: 'abc' } }));
    await peer.start();
    expect((await closed).message).toBe('exited with code 1; last output: bad key *** x');
  });

  it('reads on while a process floods its stderr', async () => {
    const { peer } = open(fixtureConfig('noisy-stderr'));
    await peer.start();
    await peer.request('initialize', HELLO);
    expect((await call(peer, 'say')).bytes.toString()).toContain('said');
  });

  it('ends a launcher and the server it started', async () => {
    const { peer, pidsFile, closed } = open(fixtureConfig('spawns-grandchild'));
    await peer.start();
    await peer.request('initialize', HELLO);
    await waitFor('launcher and server run', () => recordedPids(pidsFile).length === 2);
    await Promise.all([peer.close(), peer.close()]);
    expect(await closed).toMatchObject({ code: 'upstream_exited' });
    await expectNoProcessesLeft(pidsFile, 500);
  });

  it('reports a process that closes its output without leaving, and stops it', async () => {
    const script = `require('node:fs').closeSync(1); setInterval(() => {}, 1e6)`;
    const { peer, closed } = open(stdioConfig({ args: ['-e', script] }));
    await peer.start();
    expect((await closed).message).toMatch(/^closed its output/);
  });

  it('sends nothing and closes at once when it was never started', async () => {
    const { peer } = open(stdioConfig());
    peer.notify('a');
    await expect(peer.close()).resolves.toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { recordedPids } from '../helpers/processes.ts';
import { cliIn } from './run-cli.ts';

const cli = () =>
  cliIn({
    servers: {
      echo: fixture('echo'),
      errors: fixture('tool-error'),
      protocol: fixture('protocol-error'),
      down: fixture('crash-on-start'),
    },
  });

describe('toolsift invoke', () => {
  it('prints the result as it came and gives the arguments as they are', async () => {
    const args = '{"n":1.0,"big":12345678901234567890}';
    const { code, stdout, stderr } = await cli().run('invoke', 'echo', 'show_request', args);
    expect([code, stderr]).toEqual([0, '']);
    const text = (JSON.parse(stdout) as { content: { text: string }[] }).content[0]?.text;
    expect(text).toContain(`"arguments":${args}`);
  });

  it('passes an empty object where no arguments are given', async () => {
    const { code, stdout } = await cli().run('invoke', 'echo', 'echo');
    expect([code, stdout.trim()]).toEqual([0, '{"content":[{"type":"text","text":"{}"}]}']);
  });

  it('starts no server but the one that is called', async () => {
    const { run, pidsFile } = cli();
    expect(await run('invoke', 'echo', 'echo', '{}')).toMatchObject({ code: 0, stderr: '' });
    expect(recordedPids(pidsFile)).toHaveLength(1);
  });

  it('prints the result of a tool that failed, and exits with 1', async () => {
    const { code, stdout, stderr } = await cli().run('invoke', 'errors', 'fail');
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toMatchObject({ isError: true, content: [{ text: 'disk is full' }] });
  });

  it.each([
    [['down', 'x'], 1, /^toolsift: server "down" is not available: exited with code 3/],
    [['echo', 'ecko'], 1, /^toolsift: server "echo" has no tool "ecko"; nearest: echo/],
    [['echo', 'echo', '[1]'], 1, /^toolsift: "arguments" is a string that does not hold a JSON object/],
    [['echo', 'echo', '{"a":}'], 2, /^toolsift: the arguments are no JSON: .*; write them like /],
    [['ecco', 'echo'], 2, /^toolsift: no server "ecco" in .*toolsift\.json; it has "echo", /],
  ])('%j exits with %i and says why on stderr alone', async (args, expected, message) => {
    const { code, stdout, stderr } = await cli().run('invoke', ...args);
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toMatch(message);
  });

  it('says the code and message of a protocol error', async () => {
    const { code, stderr } = await cli().run('invoke', 'protocol', 'refuse');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^toolsift: error -\d+: /);
  });
});

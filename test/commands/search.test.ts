import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { cliIn } from './run-cli.ts';

const servers = { echo: fixture('echo'), down: fixture('crash-on-start') };

describe('toolsift search', () => {
  it('prints the best tools a line each, how complete the answer is, and what was not searched', async () => {
    const { code, stdout, stderr } = await cliIn({ servers }).run(
      'search',
      'repeat the arguments',
      '-k',
      '1',
    );
    const lines = stdout.trimEnd().split('\n');
    expect([code, stderr]).toEqual([0, '']);
    expect(lines[0]).toBe('echo/echo  Repeats the arguments it was given');
    expect(lines[1]).toMatch(/^1 of \d+ matching tools shown, 4 known$/);
    expect(lines.at(-1)).toMatch(/^not searched: down \(\w+: exited with code 3/);
  });

  it('prints what an agent gets with --json, and takes a number for words', async () => {
    const { run } = cliIn({ servers: { echo: fixture('echo') } });
    const { code, stdout } = await run('search', 'show_process', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ server: 'echo', name: 'show_process' })]),
      known: 4,
    });
    expect(await run('search', '007')).toMatchObject({ code: 0, stdout: expect.stringContaining('4 known') });
  });

  it('searches the servers named alone, and lists what one has for an empty query', async () => {
    const cli = cliIn({ servers: { echo: fixture('echo'), other: fixture('echo') } });
    const limited = await cli.run('search', 'echo', '--server', 'other');
    expect(limited.code).toBe(0);
    expect(limited.stdout).toMatch(/^other\/echo /);
    expect(limited.stdout).not.toMatch(/^echo\//m);
    const listed = await cli.run('search', '', '--server', 'echo');
    expect(listed.stdout).toMatch(/^echo\/echo/);
    const unknown = await cli.run('search', 'echo', '--server', 'nobody');
    expect(unknown.code).not.toBe(0);
    expect(unknown.stderr).toMatch(/there is no server "nobody"/);
  });

  it('explains to people alone', async () => {
    const { code, stdout, stderr } = await cliIn({ servers: {} }).run('search', 'x', '--explain', '--json');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/choose one/);
  });

  it('says with --explain which words and scores put each tool where it is', async () => {
    const { code, stdout } = await cliIn({ servers: { echo: fixture('echo') } }).run(
      'search',
      'repeat',
      'the',
      'arguments',
      '--explain',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^echo\/echo {2}Repeats.*\n {2}lexical \d+\.\d+, learned 1\.000\n {4}\w+.* \(word\) in /,
    );
  });

  it('fails in words when k is no number of tools', async () => {
    const { code, stdout, stderr } = await cliIn({ servers: { echo: fixture('echo') } }).run(
      'search',
      'x',
      '-k',
      '0',
    );
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^toolsift: -k must be a whole number/);
  });
});

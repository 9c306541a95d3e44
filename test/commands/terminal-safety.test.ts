import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { cliIn } from './run-cli.ts';

const cli = () =>
  cliIn({
    log: true,
    servers: {
      paints: fixture('commands-terminal'),
      dies: fixture('commands-terminal', ['dies']),
      refuses: fixture('commands-terminal', ['refuses']),
    },
  });

/** All that a terminal acts on, or shows as nothing or in the wrong place. */
const ACTED_ON = /(?![\n\t])[\p{Cc}\p{Cf}]|owned|b3duZWQ/u;

function expectHarmless({ stdout, stderr }: { stdout: string; stderr: string }): void {
  expect(stdout).not.toMatch(ACTED_ON);
  expect(stderr).not.toMatch(ACTED_ON);
}

describe('what servers say reaches no terminal as a command', () => {
  it.each([
    ['list', ['list'], /dies .*cannot start/],
    ['search', ['search', 'paint'], /paints\/paint.*Paints/],
    ['search --explain', ['search', 'paint', '--explain'], /paints\/paint/],
    ['refresh', ['refresh'], /dies: failed: .*cannot start/],
    ['invoke, of a tool that refuses', ['invoke', 'paints', 'refuse'], /refused/],
    ['invoke, of a server that is down', ['invoke', 'dies', 'x'], /cannot start/],
    ['invoke, of a server that refuses', ['invoke', 'refuses', 'x'], /refused/],
    ['a mistake in the command line', ['invoke', '\u001b[2Jpaints', 'x'], /no server "paints"/],
  ])('by %s', async (_, args, said) => {
    const result = await cli().run(...args);
    expect(result.stdout + result.stderr).toMatch(said);
    expectHarmless(result);
  });

  it('by add-server', async () => {
    const { command, args = [] } = fixture('commands-terminal', ['dies']);
    const result = await cli().run('add-server', 'more', '--', command, ...args);
    expect(result.stderr).toMatch(/cannot start/);
    expectHarmless(result);
  });

  it('by logs', async () => {
    const { run } = cli();
    await run('refresh', 'paints');
    const result = await run('logs', 'paints');
    expect(result.stdout).toMatch(/starting/);
    expectHarmless(result);
  });
});

describe('JSON for programs', () => {
  it.each([
    ['list --json', ['list', '--json']],
    ['search --json', ['search', 'paint', '--json']],
    ['invoke', ['invoke', 'paints', 'fail']],
  ])('of %s has every character, those that terminals act on as escapes', async (_, args) => {
    const { stdout } = await cli().run(...args);
    expect(stdout).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
    expect(() => JSON.parse(stdout)).not.toThrow();
    if (args[0] === 'invoke') expect(JSON.parse(stdout).content[0].text).toContain('\u009b31m\u202e\u200b\r');
  });
});

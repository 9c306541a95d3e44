import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cliIn } from './run-cli.ts';

const COMMANDS = ['mcp', 'add-server', 'remove-server', 'list', 'search', 'invoke'];
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

describe('the command line', () => {
  it.each([
    ['no command', [], /a command is needed.*--help/],
    ['an unknown command', ['serch', 'x'], /unknown command "serch"; did you mean search/],
    ['an unknown option', ['list', '--jsn'], /Unknown argument: jsn/],
    ['a command there is nothing like', ['frobnicate'], /unknown command "frobnicate"; see toolsift --help/],
    ['a missing argument', ['search'], /"search" needs 1 argument, got 0; see toolsift search --help/],
    ['several of them', ['invoke', 'a'], /"invoke" needs 2 arguments, got 1; see toolsift invoke --help/],
    ['a mistake in the command agents use', ['mcp', '--confg', 'x'], /Unknown argument: confg/],
  ])('exits with 2 for %s, and says so on stderr alone', async (_, args, message) => {
    const { code, stdout, stderr } = await cliIn().run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^toolsift: /);
  });

  it('exits with 0 for the help of every command, which has examples', async () => {
    const { run } = cliIn();
    const helps = await Promise.all(COMMANDS.map((command) => run(command, '--help')));
    for (const { code, stdout, stderr } of helps) {
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/Examples:\n\s+toolsift /);
    }
  });

  it('names every command in its help', async () => {
    const { code, stdout } = await cliIn().run('--help');
    expect(code).toBe(0);
    for (const command of [...COMMANDS, 'completion'])
      expect(stdout).toMatch(new RegExp(`toolsift ${command}\\b`));
  });

  it('prints its version', async () => {
    expect(await cliIn().run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('prints a completion script', async () => {
    const { code, stdout } = await cliIn().run('completion');
    expect(code).toBe(0);
    expect(stdout).toMatch(/toolsift completion/);
    expect(stdout).toContain('--get-yargs-completions');
  });
});

describe('a configuration that cannot be used', () => {
  it.each(['list', 'mcp'])(
    'makes %s exit with 2 when there is none, and says how to begin',
    async (command) => {
      const { code, stdout, stderr } = await cliIn().run(command);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/toolsift\.json/);
      expect(stderr).toMatch(/add-server/);
    },
  );

  it('makes every command exit with 2 and name each problem', async () => {
    const { run } = cliIn({ servers: { a: { command: 'x', args: [] } }, topK: 'many' });
    for (const args of [['list'], ['search', 'x'], ['invoke', 'a', 'b'], ['mcp']]) {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('topK');
    }
  });
});

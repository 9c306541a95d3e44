import { expect, it } from 'vitest';
import { cliIn } from './run-cli.ts';

it('an option without its value is a mistake in the command line, told without a stack', async () => {
  const { code, stdout, stderr } = await cliIn().run('list', '--config');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^toolsift: Not enough arguments following: config/);
  expect(stderr).not.toMatch(/\n\s+at /);
});

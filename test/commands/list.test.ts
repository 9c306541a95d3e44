import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { cliIn } from './run-cli.ts';

const servers = {
  echo: fixture('echo'),
  down: fixture('crash-on-start'),
  off: fixture('echo', [], { disabled: true }),
};

describe('toolsift list', () => {
  it('prints a table of servers, states, tools and reasons to stdout', async () => {
    const { code, stdout, stderr } = await cliIn({ servers }).run('list');
    const lines = stdout.trimEnd().split('\n');
    expect([code, stderr]).toEqual([0, '']);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^NAME {2,}STATE {2,}TOOLS$/);
    expect(lines[1]).toMatch(/^echo {2,}\w+ {2,}4/);
    expect(lines[2]).toMatch(
      /^down {2,}\w+ {2,}0 {2,}exited with code 3; last output: fatal: cannot open database file$/,
    );
    expect(lines[3]).toMatch(/^off {2,}disabled {2,}0$/);
  });

  it('prints the same as JSON, also by its short name', async () => {
    const { code, stdout } = await cliIn({ servers }).run('ls', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      servers: [
        { name: 'echo', tools: 4 },
        { name: 'down', tools: 0, reason: expect.stringContaining('exited with code 3') },
        { name: 'off', state: 'disabled', tools: 0 },
      ],
    });
  });

  it('says how to add a server when there is none', async () => {
    const { code, stdout } = await cliIn({ servers: {} }).run('list');
    expect([code, stdout]).toEqual([0, expect.stringContaining('toolsift add-server')]);
  });
});

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are the subject
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import yargs from 'yargs';
import { addServerCommand, type VerifyServer } from '../../src/commands/add-server.ts';
import { asModule } from '../../src/commands/command.ts';
import type { ServerConfig } from '../../src/config/config.ts';
import { ToolsiftError } from '../../src/errors.ts';

let folder: string;
let file: string;
let started: ServerConfig[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsift-add-'));
  file = join(folder, 'toolsift.json');
  started = [];
});
afterEach(() => rm(folder, { recursive: true }));

const works: VerifyServer = async (_, config) => {
  started.push(config);
  return { tools: 3 };
};
const fails: VerifyServer = async () => {
  throw new ToolsiftError('upstream_exited', 'it exited with code 1');
};

/** Runs the command as the shell would and gives what it prints. */
async function run(args: string[], verify = works): Promise<string> {
  const printed: string[] = [];
  await yargs()
    .command(
      asModule(addServerCommand(verify), () => {}, {
        say: (text) => printed.push(text),
        sayJson: (json) => printed.push(json),
      }),
    )
    .strict()
    .fail((message, error) => {
      throw error ?? new Error(message);
    })
    .parseAsync(['add-server', '--config', file, ...args]);
  return printed.join('\n');
}

const servers = async () => parse(await readFile(file, 'utf8')).servers;
const readFileOrNothing = () => readFile(file, 'utf8').catch(() => undefined);

describe('add-server', () => {
  test('writes what stands behind -- as it is, after the server has shown its tools', async () => {
    const args = ['--', 'npx', '-y', 'x', '1.0', '007', '--no-verify', '--', '-e', 'a b', ''];
    expect(await run(['time', '-e', 'A=b=c', '-e', 'EMPTY=', ...args])).toBe(
      `Added "time" to ${file}: 3 tools.\nAgents are told to run: toolsift mcp --config ${JSON.stringify(file)}`,
    );
    const entry = { command: 'npx', args: args.slice(2), env: { A: 'b=c', EMPTY: '' } };
    expect(await servers()).toEqual({ time: entry });
    expect(started).toMatchObject([{ kind: 'stdio', name: 'time', cwd: process.cwd(), ...entry }]);
  });

  test('needs no -- where no argument looks like an option', async () => {
    await run(['time', 'uvx', 'mcp-server-time', '2']);
    expect(await servers()).toEqual({ time: { command: 'uvx', args: ['mcp-server-time', '2'] } });
  });

  test('keeps references to variables and starts the server with their values', async () => {
    await run(['a', '-e', 'P=${PATH}', '--', 'x']);
    expect((await servers()).a.env).toEqual({ P: '${PATH}' });
    expect(started[0]).toMatchObject({ env: { P: process.env.PATH } });
  });

  test('takes --cwd from where the user is', async () => {
    await run(['a', '--cwd', 'sub', '--', 'x']);
    await run(['b', '--cwd', '~/sub', '--', 'x']);
    expect(await servers()).toMatchObject({ a: { cwd: resolve('sub') }, b: { cwd: '~/sub' } });
  });

  test('adds a remote server with its headers', async () => {
    await run(['docs', '--url', 'https://x/mcp', '-H', 'Authorization: Bearer a:b', '--transport', 'sse']);
    expect(await servers()).toEqual({
      docs: { type: 'sse', url: 'https://x/mcp', headers: { Authorization: 'Bearer a:b' } },
    });
    expect(started[0]).toMatchObject({ kind: 'http', transport: 'sse' });
  });

  test('takes a whole entry, keys of other clients included', async () => {
    await run(['a', '--json', '{"command": "x", "autoApprove": ["y"], /* mine */ }']);
    expect(await servers()).toEqual({ a: { command: 'x', autoApprove: ['y'] } });
  });

  test('does not start a server that is switched off', async () => {
    expect(await run(['a', '--json', '{"command": "x", "disabled": true}'])).toMatch(
      /disabled, so it was not started/,
    );
    expect(started).toEqual([]);
  });

  test('writes nothing when the server does not start, and says how to write it all the same', async () => {
    await expect(run(['a', '--', 'x'], fails)).rejects.toMatchObject({
      code: 'upstream_exited',
      message: '"a" was not added: it exited with code 1. To add it as it is, use --no-verify',
    });
    expect(await readFileOrNothing()).toBeUndefined();
    expect(await run(['a', '--no-verify', '-e', 'T=${SURELY_UNSET}', '--', 'x'], fails)).toMatch(
      /not verified/,
    );
  });

  test('replaces an entry only with --force, and keeps the rest of the file', async () => {
    await writeFile(file, '{\n  "servers": {\n    "a": {"command": "old"} // mine\n  }\n}\n');
    await expect(run(['a', '--', 'x'])).rejects.toMatchObject({
      code: 'usage',
      message: `"a" is in ${file} already; replace it with --force, or choose another name`,
    });
    expect(started).toEqual([]);
    expect(await run(['a', '--force', '--', 'x'])).toBe(`Replaced "a" in ${file}: 3 tools.`);
    expect(await readFile(file, 'utf8')).toBe(
      '{\n  "servers": {\n    "a": {\n      "command": "x"\n    } // mine\n  }\n}\n',
    );
  });

  test.each([
    [[], 'usage', 'say what runs the server'],
    [['--url', 'https://x', '--', 'y'], 'usage', 'a command and --url exclude each other'],
    [['-e', 'A=b', '--url', 'https://x'], 'usage', '-e goes with a command only'],
    [['-H', 'A: b', '--', 'x'], 'usage', '-H goes with --url only'],
    [['-t', 'sse', '--', 'x'], 'usage', '--transport goes with --url only'],
    [['--cwd', 'x', '--json', '{}'], 'usage', '--cwd goes with a command only'],
    [['-e', 'secret', '--', 'x'], 'usage', '-e must be KEY=VALUE'],
    [['-H', 'secret', '--url', 'https://x'], 'usage', '-H must be "Name: value"'],
    [['--json', '[]'], 'usage', '--json must be the object of one server'],
    [['--json', '{"mcpServers": {}}'], 'usage', '--json takes what stands behind the name in "mcpServers"'],
    [
      ['--json', '{"comand": "x"}'],
      'server_config_invalid',
      '"comand" is no key toolsift knows; did you mean "command"?',
    ],
    [['--json', '{"command": }'], 'config_invalid', '--json is not valid JSON: line 1, column 13'],
    [['--json', '{}'], 'server_config_invalid', 'neither "command" nor "url"'],
    [['--no-verify', '--json', '{"command": 3}'], 'server_config_invalid', '"command" must be text'],
    [
      ['--no-verify', '--url', 'nonsense'],
      'server_config_invalid',
      '"url" is no http:// or https:// address',
    ],
    [
      ['-e', 'T=${SURELY_UNSET}', '--', 'x'],
      'server_config_invalid',
      'variable SURELY_UNSET in "env.T" is not set',
    ],
  ])('refuses %j', async (args, code, message) => {
    const error: unknown = await run(['a', ...args]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect((error as Error).message).not.toContain('secret');
    expect(await readFileOrNothing()).toBeUndefined();
  });

  test.each(['', ' ', '__proto__', 'a\nb'])('refuses the name %j', async (name) => {
    await expect(run([name, '--', 'x'])).rejects.toMatchObject({ code: 'usage' });
  });

  test('says in its help how it is used', async () => {
    const help = await yargs()
      .command(asModule(addServerCommand(works), () => {}))
      .getHelp();
    expect(help).toContain('add-server <name> [command..]');
  });
});

import yargs from 'yargs';
import { ToolsiftError } from '../errors.ts';
import { VERSION } from '../version.ts';
import { addServerCommand } from './add-server.ts';
import { asModule } from './command.ts';
import { DONE } from './exit-codes.ts';
import { importServers } from './import.ts';
import { invoke } from './invoke.ts';
import { list } from './list.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { logs } from './logs.ts';
import { mcp } from './mcp.ts';
import { refresh } from './refresh.ts';
import { removeServer } from './remove-server.ts';
import { restart } from './restart.ts';
import { search } from './search.ts';
import { serve } from './serve.ts';
import { trust } from './trust.ts';
import { verifyServer } from './verify-server.ts';

/**
 * Parses a command line and runs the command.
 *
 * @returns the exit code
 * @throws ToolsiftError `usage` for a mistake in it, and whatever the command throws
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let exitCode = DONE;
  const onexit = (code: number) => {
    exitCode = code;
  };
  await yargs(args)
    .scriptName('toolsift')
    .usage('$0 <command>\n\nThe MCP server that stands in for all your MCP servers.')
    .command(asModule(mcp, onexit))
    .command(asModule(serve, onexit))
    .command(asModule(addServerCommand(verifyServer), onexit))
    .command(asModule(removeServer, onexit))
    .command(asModule(list, onexit))
    .command(asModule(search, onexit))
    .command(asModule(invoke, onexit))
    .command(asModule(refresh, onexit))
    .command(asModule(restart, onexit))
    .command(asModule(login, onexit))
    .command(asModule(logout, onexit))
    .command(asModule(logs, onexit))
    .command(asModule(trust, onexit))
    .command(asModule(importServers, onexit))
    .completion('completion', 'Print a completion script for your shell')
    .demandCommand(1, 'a command is needed')
    .strict()
    .recommendCommands()
    .middleware(takeLast, true)
    .version(VERSION)
    .alias('h', 'help')
    .wrap(Math.min(110, process.stdout.columns ?? 100))
    .fail((message, error) => {
      // Mistakes that yargs finds while it parses come as errors of its own.
      if (error !== undefined && error !== null && error.name !== 'YError') throw error;
      throw new ToolsiftError('usage', usageText(message ?? error.message, args));
    })
    .parseAsync();
  return exitCode;
}

/** What yargs found wrong, naming the command that it is about. */
function usageText(found: string, [command = '', ...rest]: readonly string[]): string {
  const missing = /^Not enough non-option arguments: got (\d+), need at least (\d+)$/.exec(found);
  if (missing !== null) {
    const [, got, needed] = missing;
    return `"${command}" needs ${needed} ${needed === '1' ? 'argument' : 'arguments'}, got ${got}; see toolsift ${command} --help`;
  }
  const unknown = `unknown command "${command}"`;
  const isUnknown =
    found === `Unknown argument: ${command}` ||
    found === `Unknown arguments: ${[command, ...rest].join(', ')}`;
  return `${isUnknown ? unknown : found.replace(/^Did you mean/, `${unknown}; did you mean`)}; see toolsift --help`;
}

/** Options that take one value; yargs makes a list where they are given again. */
const SINGLE = ['config', 'only', 'cwd', 'url', 'transport', 'json', 'k', 'scope', 'port', 'host', 'path'];

/** Of an option that is given again the last counts, as with most programs. */
function takeLast(argv: Record<string, unknown>): void {
  for (const option of SINGLE) {
    const value = argv[option];
    if (Array.isArray(value)) argv[option] = value.at(-1);
  }
}

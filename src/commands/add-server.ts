import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Argv } from 'yargs';
import type { ServerConfig } from '../config/config.ts';
import { configuredNames, putServerEntry } from '../config/edit/edit-config.ts';
import { type EntryOptions, newEntry } from '../config/entry/new-entry.ts';
import { readEntry } from '../config/entry/read-entry.ts';
import { serverNameFault } from '../config/entry/read-servers.ts';
import { untrustedReason } from '../config/entry/untrusted.ts';
import { type FoundConfig, findConfigToEdit } from '../config/find-config.ts';
import { errorText, ToolsiftError } from '../errors.ts';
import { createLogger } from '../log.ts';
import { type Command, type ConfigArgs, configOption } from './command.ts';
import { DONE } from './exit-codes.ts';
import { keepingTrust, needsTrust } from './trust.ts';

/** Starts a server, counts its tools and stops it again. Fails with the reason where that cannot be done. */
export type VerifyServer = (name: string, config: ServerConfig) => Promise<{ tools: number }>;

interface AddServerArgs extends EntryOptions, ConfigArgs {
  name: string;
  command: string[];
  '--'?: string[];
  verify: boolean;
  force: boolean;
}

/** `toolsift add-server`: writes one entry into toolsift.json, once the server has shown that it works. */
export function addServerCommand(verify: VerifyServer): Command<AddServerArgs> {
  return {
    command: 'add-server <name> [command..]',
    describe: 'Add a server to toolsift.json, after starting it once',
    builder,
    run: async (args, screen) => {
      screen.say(await add(args, verify));
      return DONE;
    },
  };
}

function builder(yargs: Argv): Argv<AddServerArgs> {
  return configOption(yargs)
    .positional('name', { type: 'string', demandOption: true, describe: 'Name of the server' })
    .positional('command', {
      type: 'string',
      array: true,
      default: [],
      describe: 'Program that runs it, and arguments; after --',
    })
    .option('env', {
      alias: 'e',
      type: 'string',
      array: true,
      nargs: 1,
      default: [],
      describe: 'Variable for the server, KEY=VALUE',
    })
    .option('cwd', { type: 'string', nargs: 1, describe: 'Working directory of the server' })
    .option('url', { type: 'string', nargs: 1, describe: 'Address of a remote server' })
    .option('header', {
      alias: 'H',
      type: 'string',
      array: true,
      nargs: 1,
      default: [],
      describe: 'HTTP header, "Name: value"',
    })
    .option('transport', {
      alias: 't',
      choices: ['http', 'sse'] as const,
      describe: 'Transport to --url; default: found out',
    })
    .option('json', { type: 'string', nargs: 1, describe: 'The whole entry, as it stands in toolsift.json' })
    .option('verify', {
      type: 'boolean',
      default: true,
      describe: 'Start the server first; --no-verify does not',
    })
    .option('force', { type: 'boolean', default: false, describe: 'Replace the entry of this name' })
    .example('$0 add-server time -- uvx mcp-server-time', 'a local server')
    .example(`$0 add-server github -e TOKEN='\${GITHUB_TOKEN}' -- npx -y server-github`, 'with a variable')
    .example(
      `$0 add-server docs --url https://example.com/mcp -H 'Authorization: Bearer \${KEY}'`,
      'a remote one',
    )
    .example(
      '$0 add-server time --json \'{"command": "uvx", "args": ["mcp-server-time"]}\'',
      'a pasted entry',
    )
    .parserConfiguration({ 'populate--': true, 'parse-positional-numbers': false });
}

async function add(args: AddServerArgs, verify: VerifyServer): Promise<string> {
  const { name } = args;
  const nameFault = serverNameFault(name);
  if (nameFault !== undefined) throw usage(`the name ${nameFault}`);
  const entry = newEntry([...args.command, ...(args['--'] ?? [])], args);
  const found = await findConfigToEdit({ flag: args.config });
  const { file } = found;
  const isPresent = configuredNames(file).includes(name);
  if (isPresent && !args.force) {
    throw usage(`"${name}" is in ${file} already; replace it with --force, or choose another name`);
  }

  const config = await readable(name, entry, file, args.verify);
  const outcome = args.verify ? await verified(name, config, verify) : 'not verified';
  const isNew = !existsSync(file);
  await keepingTrust(found, () => putServerEntry(file, name, entry));
  const done = `${isPresent ? 'Replaced' : 'Added'} "${name}" ${isPresent ? 'in' : 'to'} ${file}: ${outcome}.`;
  if (isNew) return `${done}\nAgents are told to run: ${serveCommand(found)}`;
  return needsTrust(found) ? `${done}\nIt does not run yet: ${untrustedReason(file)}` : done;
}

/** What an agent runs to have this file served. */
function serveCommand({ file, foundBy }: FoundConfig): string {
  const isNamed = foundBy === '--config' || foundBy === 'TOOLSIFT_CONFIG';
  return isNamed ? `toolsift mcp --config ${JSON.stringify(file)}` : 'toolsift mcp';
}

/** The entry as toolsift will read it. Without verification, variables need not be set here. */
async function readable(
  name: string,
  entry: object,
  file: string,
  willStart: boolean,
): Promise<ServerConfig> {
  const { checkEntry } = await import('../config/schema/check.ts');
  const place = { folder: dirname(file), cwd: process.cwd(), check: checkEntry };
  const asWritten = readEntry(name, entry, place).config;
  if (asWritten.kind === 'faulty') throw unusable(name, asWritten.reason);
  if (!willStart) return asWritten;
  const { config, warnings } = readEntry(name, entry, { ...place, env: process.env });
  if (config.kind === 'faulty') throw unusable(name, `${config.reason}; or add it as it is with --no-verify`);
  for (const warning of warnings) createLogger().warn(`server "${name}": ${warning}`);
  return config;
}

async function verified(name: string, config: ServerConfig, verify: VerifyServer): Promise<string> {
  if (config.kind === 'disabled') return 'disabled, so it was not started';
  try {
    const { tools } = await verify(name, config);
    return tools === 1 ? '1 tool' : `${tools} tools`;
  } catch (cause) {
    const code = cause instanceof ToolsiftError ? cause.code : 'upstream_start_failed';
    const message = `"${name}" was not added: ${errorText(cause)}. To add it as it is, use --no-verify`;
    throw new ToolsiftError(code, message, { cause, facts: { server: name } });
  }
}

function unusable(name: string, reason: string): ToolsiftError {
  return new ToolsiftError('server_config_invalid', `"${name}" was not added: ${reason}`, {
    facts: { server: name },
  });
}

function usage(message: string): ToolsiftError {
  return new ToolsiftError('usage', message);
}

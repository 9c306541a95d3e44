import type { CommandModule } from 'yargs';
import { loadConfig } from '../config/load-config.ts';
import { StreamLink } from '../jsonrpc/stream-link.ts';
import { createLogger, LOG_LEVELS, type LogLevel } from '../log.ts';
import { ToolProxy } from '../proxy.ts';
import { userFolders } from '../user-folders.ts';
import { VERSION } from '../version.ts';
import { watchForChanges } from '../watch-for-changes.ts';

export interface McpArgs {
  /** The configuration file; found by the usual rules when absent. */
  readonly config?: string | undefined;
  /** The one server to put through as it is. */
  readonly only?: string | undefined;
}

const SIGNALS = new Map<NodeJS.Signals, number>([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
]);

/**
 * Speaks MCP over stdin and stdout until the client leaves or a signal comes, then stops everything.
 *
 * @returns the exit code: 0 when the client left, 128 + n after signal n, 1 after an error nobody foresaw
 */
export async function runMcp({ config: flag, only }: McpArgs): Promise<number> {
  const log = createLogger(logLevel());
  const config = await loadConfig({ flag });
  for (const warning of config.warnings) log.warn(warning);
  const folders = userFolders();
  const proxy = new ToolProxy({ config, log, version: VERSION, folders });
  const link = new StreamLink({
    input: process.stdin,
    output: process.stdout,
    maxMessageBytes: config.maxMessageBytes,
  });
  const crashed = new Promise<number>((resolve) => {
    const crash = (error: unknown) => {
      log.error(`bug: ${error instanceof Error ? error.stack : String(error)}`);
      resolve(1);
    };
    process.on('uncaughtException', crash);
    process.on('unhandledRejection', crash);
  });
  const ended = proxy.serve(link, only).then(() => 0);
  const unwatch = watchForChanges(proxy, { file: config.file, dataFolder: folders.data, log });
  const exitCode = await Promise.race([ended, signalled(), crashed]);
  unwatch();
  await proxy.close();
  return exitCode;
}

export const mcp: CommandModule<object, McpArgs> = {
  command: 'mcp',
  describe: 'Serve MCP over stdin and stdout: what an agent is told to start',
  builder: (yargs) =>
    yargs
      .option('config', { type: 'string', nargs: 1, describe: 'The toolsift.json to use' })
      .option('only', { type: 'string', nargs: 1, describe: 'Put this one server through as it is' })
      .example('$0 mcp', 'with ./toolsift.json, or that of the user')
      .example('$0 mcp --config ~/work/toolsift.json', 'with a file of your choice')
      .example('$0 mcp --only github', "one server's tools under their own names"),
  handler: async (args) => {
    process.exitCode = await runMcp(args);
    process.stdin.destroy();
  },
};

/** Resolves with the exit code for the first signal; a second one ends the process at once. */
function signalled(): Promise<number> {
  return new Promise((resolve) => {
    for (const [signal, exitCode] of SIGNALS) {
      let count = 0;
      process.on(signal, () => {
        if (++count > 1) process.exit(exitCode);
        resolve(exitCode);
      });
    }
  });
}

function logLevel(): LogLevel {
  return LOG_LEVELS.find((level) => level === process.env.TOOLSIFT_LOG) ?? 'info';
}

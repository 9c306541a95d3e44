import { StreamLink } from '../jsonrpc/stream-link.ts';
import { createLogger } from '../log.ts';
import { ToolProxy } from '../proxy/proxy.ts';
import { watchForChanges } from '../proxy/watch-for-changes.ts';
import { VERSION } from '../version.ts';
import { askedLogLevel } from './asked-log-level.ts';
import { type Command, configOption } from './command.ts';
import { withoutCredentials } from './crash.ts';
import { DONE } from './exit-codes.ts';
import { loadForRun, warnOf } from './load-for-run.ts';
import { untilEnded } from './until-ended.ts';
import { keepYoungGenerationSmall } from './young-generation.ts';

export interface McpArgs {
  /** The configuration file; found by the usual rules when absent. */
  readonly config?: string | undefined;
  /** The one server to put through as it is. */
  readonly only?: string | undefined;
  /** Address of a server to put through in place of those of the configuration. */
  readonly url?: string | undefined;
}

/**
 * Speaks MCP over stdin and stdout until the client leaves or a signal comes, then stops everything.
 *
 * @returns the exit code: 0 when the client left, 128 + n after signal n, 1 after an error nobody foresaw
 */
export async function runMcp({ config: flag, only, url }: McpArgs): Promise<number> {
  keepYoungGenerationSmall();
  // Whoever reads our log may leave before the client does.
  process.stderr.on('error', () => {});
  const stderr = createLogger(askedLogLevel());
  if (url !== undefined) {
    const { runBridge } = await import('./run-bridge.ts');
    return runBridge(url, stderr);
  }
  const { config, folders, loading, trustFile } = await loadForRun(flag);
  // The set is asked for when there is an error to tell: edits of the file change it.
  const log = withoutCredentials(stderr, () => proxy.config.servers.values());
  log.info(`uses ${config.file}, found by ${config.foundBy}`);
  warnOf(config, log);
  const proxy = new ToolProxy({ config, log, version: VERSION, folders });
  const link = new StreamLink({
    input: process.stdin,
    output: process.stdout,
    get maxMessageBytes() {
      return proxy.config.maxMessageBytes;
    },
  });
  const ended = proxy.serve(link, only).then(() => DONE);
  const unwatch = watchForChanges(proxy, {
    config,
    loading,
    alsoWatched: trustFile,
    dataFolder: folders.data,
    loginFolder: folders.logins,
    log,
  });
  const exitCode = await untilEnded(ended, log);
  unwatch();
  await proxy.close();
  return exitCode;
}

export const mcp: Command<McpArgs> = {
  command: 'mcp',
  describe: 'Serve MCP over stdin and stdout: what an agent is told to start',
  builder: (yargs) =>
    configOption(yargs)
      .option('only', { type: 'string', nargs: 1, describe: 'Put this one server through as it is' })
      .option('url', {
        type: 'string',
        nargs: 1,
        conflicts: ['config', 'only'],
        describe: 'Put the server at this address through; TOOLSIFT_TOKEN lets in',
      })
      .example('$0 mcp', 'with ./toolsift.json, or that of the user')
      .example('$0 mcp --config ~/toolsift.json', 'with a file of your choice')
      .example('$0 mcp --only github', "one server's tools under their own names")
      .example('$0 mcp --url http://127.0.0.1:3333/mcp', 'for a client that speaks only stdio'),
  run: async (args) => {
    const exitCode = await runMcp(args);
    process.stdin.destroy();
    return exitCode;
  },
};

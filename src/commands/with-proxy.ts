import type { Config } from '../config/config.ts';
import { createLogger } from '../log.ts';
import { ToolProxy } from '../proxy/proxy.ts';
import type { UserFolders } from '../proxy/user-folders.ts';
import { complain } from '../terminal.ts';
import { VERSION } from '../version.ts';
import type { ConfigArgs } from './command.ts';
import { crashText, onCrash } from './crash.ts';
import { onEndingSignal } from './ending-signals.ts';
import { FAILED } from './exit-codes.ts';
import { loadForRun, warnOf } from './load-for-run.ts';

export interface WithProxyOptions extends ConfigArgs {
  /** Which of the configured servers are wanted; default all. */
  readonly only?: (name: string) => boolean;
}

/**
 * Runs a command on a proxy for the configured servers.
 *
 * @param run gets the proxy and the whole configuration
 */
export async function withProxy<Result>(
  { config: flag, only }: WithProxyOptions,
  run: (proxy: ToolProxy, config: Config) => Promise<Result>,
): Promise<Result> {
  const { config, folders } = await loadForRun(flag);
  warnOf(config, createLogger());
  const servers = new Map([...config.servers].filter(([name]) => only?.(name) ?? true));
  return runOnProxy({ ...config, servers }, folders, (proxy) => run(proxy, config));
}

/** Runs something on a proxy. Whatever happens, signals included, every process is stopped again. */
export async function runOnProxy<Result>(
  config: Config,
  folders: UserFolders | undefined,
  run: (proxy: ToolProxy) => Promise<Result>,
): Promise<Result> {
  const proxy = new ToolProxy({
    config,
    log: createLogger('silent'),
    version: VERSION,
    ...(folders === undefined ? {} : { folders }),
  });
  const leave = (exitCode: number) => void proxy.close().finally(() => process.exit(exitCode));
  const unlisten = onEndingSignal(leave);
  const uncrash = onCrash((error) => {
    complain(`toolsift: bug: ${crashText(error, config.servers.values())}`);
    leave(FAILED);
  });
  try {
    return await run(proxy);
  } finally {
    unlisten();
    uncrash();
    await proxy.close();
  }
}

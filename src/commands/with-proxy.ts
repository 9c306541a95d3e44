import { loadConfig } from '../config/load-config.ts';
import { createLogger } from '../log.ts';
import { ToolProxy } from '../proxy.ts';
import { userFolders } from '../user-folders.ts';
import { VERSION } from '../version.ts';

export interface ConfigArgs {
  readonly config?: string | undefined;
}

export interface WithProxyOptions extends ConfigArgs {
  /** Which of the configured servers are wanted; default all. */
  readonly only?: (name: string) => boolean;
}

/**
 * Runs a command on a proxy for the configured servers. Whatever happens, every process is stopped again.
 *
 * @param run gets the proxy and the names of all configured servers
 */
export async function withProxy<Result>(
  { config: flag, only }: WithProxyOptions,
  run: (proxy: ToolProxy, names: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const config = await loadConfig({ flag });
  for (const warning of config.warnings) createLogger().warn(warning);
  const servers = new Map([...config.servers].filter(([name]) => only?.(name) ?? true));
  const proxy = new ToolProxy({
    config: { ...config, servers },
    log: createLogger('silent'),
    version: VERSION,
    folders: userFolders(),
  });
  const stop = () => void proxy.close().finally(() => process.exit(130));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await run(proxy, [...config.servers.keys()]);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    await proxy.close();
  }
}

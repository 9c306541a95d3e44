import type { Config, ServeSettings } from '../config/config.ts';
import { DEFAULT_SERVE_SETTINGS } from '../config/schema/serve-keys.ts';
import { createLogger } from '../log.ts';
import { ToolProxy } from '../proxy/proxy.ts';
import { watchForChanges } from '../proxy/watch-for-changes.ts';
import { VERSION } from '../version.ts';
import { askedLogLevel } from './asked-log-level.ts';
import { withoutCredentials } from './crash.ts';
import { loadForRun, warnOf } from './load-for-run.ts';
import type { ServeArgs } from './serve.ts';
import { Serving } from './serving.ts';
import { untilEnded } from './until-ended.ts';

/**
 * Serves MCP over HTTP until a signal comes, then lets what was begun be answered and stops everything.
 *
 * @returns the exit code: 128 + n after signal n, 1 after an error nobody foresaw
 * @throws ToolsiftError `config_invalid` where others could come in unasked, `usage` where nobody can listen
 */
export async function runServe({ config: flag, ...args }: ServeArgs): Promise<number> {
  // Whoever reads our log may leave before we do.
  process.stderr.on('error', () => {});
  const stderr = createLogger(askedLogLevel());
  const { config, folders, loading, trustFile } = await loadForRun(flag);
  // The set is asked for when there is an error to tell: edits of the file change it.
  const log = withoutCredentials(stderr, () => proxy.config.servers.values());
  log.info(`uses ${config.file}, found by ${config.foundBy}`);
  warnOf(config, log);
  const proxy = new ToolProxy({ config, log, version: VERSION, folders });
  const settings = settingsOf(config, args);
  const ended = untilEnded(new Promise(() => {}), log);
  const serving = await Serving.open({ proxy, config, settings, env: process.env, log });
  const unwatch = watchForChanges(proxy, {
    config,
    loading,
    alsoWatched: trustFile,
    dataFolder: folders.data,
    loginFolder: folders.logins,
    onapplied: (changed) => serving.applyConfig(changed),
    log,
  });
  const exitCode = await ended;
  unwatch();
  await serving.close();
  await proxy.close();
  return exitCode;
}

/** What was asked for on the command line counts before what the file says. */
function settingsOf({ serve }: Config, { port, host, path }: ServeArgs): ServeSettings {
  return {
    ...(serve ?? DEFAULT_SERVE_SETTINGS),
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
    ...(path === undefined ? {} : { path }),
  };
}

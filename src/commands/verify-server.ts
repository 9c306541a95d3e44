import { DEFAULT_FILE_SETTINGS } from '../config/schema/file-keys.ts';
import type { VerifyServer } from './add-server.ts';
import { runOnProxy } from './with-proxy.ts';

/** Starts a server on its own, counts its tools and stops it again. Nothing of it is kept. */
export const verifyServer: VerifyServer = (name, server) => {
  const servers = new Map([[name, server]]);
  const config = { ...DEFAULT_FILE_SETTINGS, file: '', servers, pinnedWaitMs: 0, warnings: [] };
  return runOnProxy(config, undefined, async (proxy) => {
    await proxy.own.upstreams.get(name)?.refresh();
    return { tools: proxy.own.catalog.toolCount };
  });
};

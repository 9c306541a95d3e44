import { DEFAULTS } from '../config/schema/schema.ts';
import type { VerifyServer } from './add-server.ts';
import { runOnProxy } from './with-proxy.ts';

/** Starts a server on its own, counts its tools and stops it again. Nothing of it is kept. */
export const verifyServer: VerifyServer = (name, server) => {
  const { topK, maxMessageBytes, search } = DEFAULTS;
  const config = {
    file: '',
    servers: new Map([[name, server]]),
    pinned: [],
    topK,
    maxMessageBytes,
    pinnedWaitMs: 0,
    search,
    warnings: [],
  };
  return runOnProxy(config, undefined, async (proxy) => {
    await proxy.upstreams.get(name)?.refresh();
    return { tools: proxy.catalog.toolCount };
  });
};

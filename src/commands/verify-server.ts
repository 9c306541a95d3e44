import type { Config } from '../config/config.ts';
import { createLogger } from '../log.ts';
import { ToolProxy } from '../proxy.ts';
import { VERSION } from '../version.ts';
import type { VerifyServer } from './add-server.ts';

/** Starts a server on its own, counts its tools and stops it again. */
export const verifyServer: VerifyServer = async (name, server) => {
  const config: Config = {
    file: '',
    servers: new Map([[name, server]]),
    pinned: [],
    topK: 5,
    maxMessageBytes: 256 * 1024 * 1024,
    pinnedWaitMs: 0,
    search: { mode: 'learned', maxTokens: 4000 },
    warnings: [],
  };
  const proxy = new ToolProxy({ config, log: createLogger('silent'), version: VERSION });
  try {
    const upstream = proxy.upstreams.get(name);
    await upstream?.acquire();
    await upstream?.listsSettled();
    return { tools: proxy.catalog.toolCount };
  } finally {
    await proxy.close();
  }
};

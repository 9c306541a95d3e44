import type { ServerConfig } from './config.ts';

/** What makes a server the one it is; time limits and the like can change without its lists changing. */
export function identityOf(config: ServerConfig): object {
  if (config.kind === 'stdio') {
    const { command, args, env, place } = config;
    return { command, args, env, place };
  }
  if (config.kind === 'http') {
    const { transport, url, headers, login } = config;
    return { transport, url, headers, ...(login === undefined ? {} : { login }) };
  }
  return { kind: config.kind, ...(config.kind === 'faulty' ? { reason: config.reason } : {}) };
}

/** What of an entry a running server depends on; the rest can change under it. */
export function runOf(config: ServerConfig): object {
  const { isShared, keepsLog } = config;
  return { identity: identityOf(config), isShared, keepsLog, cwd: config.kind === 'stdio' ? config.cwd : '' };
}

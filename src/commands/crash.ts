import type { ServerConfig } from '../config/config.ts';
import type { Logger } from '../log.ts';
import { credentialsRedactor } from '../upstream/redact.ts';

/** Calls back once, with the first error nobody foresaw. The returned function ends the listening. */
export function onCrash(callback: (error: unknown) => void): () => void {
  process.once('uncaughtException', callback);
  process.once('unhandledRejection', callback);
  return () => {
    process.off('uncaughtException', callback);
    process.off('unhandledRejection', callback);
  };
}

/** The stack of an error nobody foresaw, without the credentials of servers: libraries quote command lines. */
export function crashText(error: unknown, servers: Iterable<ServerConfig>): string {
  return credentialsRedactor(servers).hide(error instanceof Error ? String(error.stack) : String(error));
}

/** A log whose errors, which hold stacks, are free of the credentials of servers. */
export function withoutCredentials(log: Logger, servers: () => Iterable<ServerConfig>): Logger {
  return { ...log, error: (message) => log.error(credentialsRedactor(servers()).hide(message)) };
}

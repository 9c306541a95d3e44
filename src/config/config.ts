import type { ServerConfig } from './entry/server-config.ts';
import type { FoundBy } from './find-config.ts';
import type { FileSettings } from './schema/file-keys.ts';

export type {
  DisabledServerConfig,
  FaultyServerConfig,
  HttpServerConfig,
  RunnableConfig,
  ServerConfig,
  ServerSettings,
  StdioServerConfig,
} from './entry/server-config.ts';
export type { AccessSettings } from './schema/access-keys.ts';
export type { AuthSettings, OauthSettings } from './schema/auth-keys.ts';
export type { LoginSettings } from './schema/login-keys.ts';
export type { RunSettings } from './schema/run-keys.ts';
export type { ServeSettings } from './schema/serve-keys.ts';

/** What a loaded `toolsift.json` says, every variable filled in and every default applied. */
export interface Config extends FileSettings {
  /** Absolute path of the file. */
  readonly file: string;
  /** What led to it; absent for a configuration that is no file's. */
  readonly foundBy?: FoundBy;
  /** Why no server of it runs, and what to do. */
  readonly notice?: string;
  /** An edit of the file that does not count yet, why, and what to do. */
  readonly waiting?: string;
  readonly servers: ReadonlyMap<string, ServerConfig>;
  /** Things worth telling the user that stop nothing (ignored keys of other clients, …). */
  readonly warnings: readonly string[];
}

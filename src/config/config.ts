/** What a loaded `toolsift.json` says, every variable filled in and every default applied. */
export interface Config {
  /** Absolute path of the file. */
  readonly file: string;
  readonly servers: ReadonlyMap<string, ServerConfig>;
  /** Pins as written: `"name"` or `"server/name"`. */
  readonly pinned: readonly string[];
  /** Hits a search returns when the client asks for no number. */
  readonly topK: number;
  /** Longest message accepted from an upstream, in bytes. */
  readonly maxMessageBytes: number;
  /** How long `tools/list` waits for pinned tools of servers that are still starting. */
  readonly pinnedWaitMs: number;
  readonly search: SearchSettings;
  /** Things worth telling the user that stop nothing (ignored keys of other clients, …). */
  readonly warnings: readonly string[];
}

/** How search ranks. The one list of modes: a new ranking adds its name here. */
export const SEARCH_MODES = ['learned', 'lexical', 'words'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

export interface SearchSettings {
  readonly mode: SearchMode;
  /** Longest search answer, in tokens; hits beyond it come without their schema. */
  readonly maxTokens: number;
}

/** How a server is run. */
export interface RunSettings {
  /** Whether it starts with each session, or with the first call once its tools are known. */
  readonly start: 'on-demand' | 'eager';
  /** Stopped when nothing has been asked of it for so long; absent means never. */
  readonly idleStopMs?: number;
  /** Age after which its lists are read anew in the background. */
  readonly refreshAfterMs: number;
  /** Whether one process of it serves all toolsift processes of this user. */
  readonly isShared: boolean;
  /** Whether what it writes to stderr is kept in a file. */
  readonly keepsLog: boolean;
}

export interface ServerSettings extends RunSettings {
  readonly name: string;
  /** Time limit of one call; absent means none. Progress extends it, up to `maxTimeoutMs`. */
  readonly timeoutMs?: number;
  readonly maxTimeoutMs?: number;
  /** Time limits of single tools, by tool name, overriding `timeoutMs`. */
  readonly toolTimeoutsMs?: ReadonlyMap<string, number>;
}

export interface StdioServerConfig extends ServerSettings {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment toolsift itself runs in. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; toolsift's own working directory when the entry names none. */
  readonly cwd: string;
  /**
   * What tells this server from another of the same command: `cwd` where the entry names it, else the folder of the
   * file. Where toolsift happens to run does not.
   */
  readonly place: string;
}

export interface HttpServerConfig extends ServerSettings {
  readonly kind: 'http';
  /** `auto`: Streamable HTTP, then HTTP+SSE where the server knows only that. */
  readonly transport: 'http' | 'sse' | 'auto';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An entry that is switched off. */
export interface DisabledServerConfig extends ServerSettings {
  readonly kind: 'disabled';
}

/** An entry with a fault of its own; the other servers do not notice. */
export interface FaultyServerConfig extends ServerSettings {
  readonly kind: 'faulty';
  /** What is wrong and what to do, e.g. `variable GITHUB_TOKEN in "env.TOKEN" is not set`. */
  readonly reason: string;
}

/** An entry that can be started. */
export type RunnableConfig = StdioServerConfig | HttpServerConfig;

export type ServerConfig = RunnableConfig | DisabledServerConfig | FaultyServerConfig;

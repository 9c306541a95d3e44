import type { entryKeys } from './entry-keys.ts';

/*
 * Keys that other clients write into the entries of their servers, each by name, so that a pasted block works
 * and nothing is dropped unnoticed.
 */

/** Keys that say what one of ours says. */
export const SPELLINGS: ReadonlyMap<string, keyof typeof entryKeys> = new Map([
  ['serverUrl', 'url'], // Windsurf
  ['httpUrl', 'url'], // Gemini CLI
  ['uri', 'url'], // Goose
  ['baseUrl', 'url'], // Cherry Studio, mcporter
  ['http_headers', 'headers'], // Codex
  ['cmd', 'command'], // Goose
  ['environment', 'env'], // opencode
  ['envs', 'env'], // Goose
  ['working_directory', 'cwd'], // Warp
  ['transport', 'type'],
  ['transportType', 'type'], // Cline
  ['tool_timeout_sec', 'timeoutSeconds'], // Codex
]);

/** Keys that say the opposite of `disabled`. */
export const ENABLING: ReadonlySet<string> = new Set(['enabled', 'isActive']);

/** Keys that name the variable with the token of the `Authorization` header. */
export const TOKEN_VARIABLES: ReadonlySet<string> = new Set(['bearerTokenEnv', 'bearer_token_env_var']);

/** Keys whose object names, for each header, the variable that holds its value. */
export const HEADER_VARIABLES: ReadonlySet<string> = new Set(['env_http_headers']);

const EVERY_TOOL = 'toolsift offers every tool of the server';

/** Keys without effect here. `null`: nothing is lost. Otherwise the reason, shown when the value asks for something. */
export const IGNORED: ReadonlyMap<string, string | null> = new Map([
  // Names and texts for people.
  ...['description', 'title', 'name', 'displayName', 'icon', 'logo', 'version', 'author', 'owner'].map(quiet),
  ...['gallery', 'source', 'category', 'tags', 'stars', 'homepage', 'repository', 'registry'].map(quiet),
  // Approval stays with the client in front of toolsift, and so does its choice of what to defer.
  ...['autoApprove', 'alwaysAllow', 'trust', 'default_tools_approval_mode'].map(quiet),
  // Codex passes only named variables on; here the server has them all.
  ...['env_vars', 'supports_parallel_tool_calls'].map(quiet),
  // The unit differs from client to client.
  ['timeout', 'clients disagree on its unit; write "timeoutSeconds"'],
  ['startup_timeout_sec', 'a server has 60 seconds to start'],
  ['startup_timeout_ms', 'a server has 60 seconds to start'],
  ['initTimeout', 'a server has 60 seconds to start'],
  ['required', 'a server that fails never stops the others'],
  ['alwaysLoad', 'name the tools to show at all times in "pinned"'],
  ['disabledTools', EVERY_TOOL],
  ['disabled_tools', EVERY_TOOL],
  ['excludeTools', EVERY_TOOL],
  ['enabled_tools', EVERY_TOOL],
  ['includeTools', EVERY_TOOL],
  ['tools', EVERY_TOOL],
  ['envFile', 'toolsift reads no such file; put its variables into "env"'],
  ['headersHelper', 'toolsift runs no helper; write "headers"'],
  ['auth', 'write "headers"'],
  ['oauth', 'log in with "toolsift login"; what it says of the client goes into "login"'],
  ['authProviderType', 'write "headers"'],
  ['sandbox', 'toolsift runs the server without a sandbox'],
  ['sandboxEnabled', 'toolsift runs the server without a sandbox'],
  ['dev', null],
  ['settings', 'they are for an extension of Zed'],
]);

export interface ForeignKey {
  readonly key: string;
  /** The key of ours that it stands for; none for those without effect. */
  readonly own: keyof typeof entryKeys | undefined;
}

export function foreignKeys(): ForeignKey[] {
  return [
    ...[...SPELLINGS].map(([key, own]) => ({ key, own })),
    ...[...ENABLING].map((key) => ({ key, own: 'disabled' }) as const),
    ...[...TOKEN_VARIABLES, ...HEADER_VARIABLES].map((key) => ({ key, own: 'headers' }) as const),
    ...[...IGNORED.keys()].map((key) => ({ key, own: undefined })),
  ];
}

/** Keys that name the only tools to show, where an empty list means none. */
const ALLOW_LISTS: ReadonlySet<string> = new Set(['tools', 'includeTools', 'enabled_tools']);

/** Whether an ignored key asks for anything: a filter that lets every tool pass does not. */
export function asksForSomething(key: string, value: unknown): boolean {
  if (value === null || value === false) return false;
  if (ALLOW_LISTS.has(key) && Array.isArray(value) && value.length === 0) return true;
  if (typeof value !== 'object') return true;
  const [first, ...others] = Object.values(value);
  return first !== undefined && !(Array.isArray(value) && first === '*' && others.length === 0);
}

/** Whether a key is a comment, as JSON without comments has them: `_comment`, `//`, `$comment`. */
export function isCommentKey(key: string): boolean {
  return /^(?:_(?!_proto__$)|\/\/|#|\$comment$)/.test(key);
}

function quiet(key: string): [string, null] {
  return [key, null];
}

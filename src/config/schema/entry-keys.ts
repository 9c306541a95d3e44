import { key, type SettingKey } from './key.ts';
import { loginKeys } from './login-keys.ts';
import { runKeys } from './run-keys.ts';

/** Time limits of the calls of one server. */
export interface CallLimits {
  /** Time limit of one call; absent means none. Progress extends it, up to `maxTimeoutMs`. */
  readonly timeoutMs?: number;
  readonly maxTimeoutMs?: number;
  /** Time limits of single tools, by tool name, overriding `timeoutMs`. */
  readonly toolTimeoutsMs?: ReadonlyMap<string, number>;
}

/** Spellings of `type`, with what toolsift does: clients disagree on the names of the same transports. */
export const TRANSPORTS = {
  stdio: 'stdio',
  http: 'http',
  sse: 'sse',
  'streamable-http': 'http',
  streamableHttp: 'http',
  streamable_http: 'http',
  local: 'stdio',
  remote: 'auto',
} as const;
export type TypeSpelling = keyof typeof TRANSPORTS;

export const limitKeys = {
  timeoutSeconds: limitKey({
    rule: (is) => is.seconds,
    description:
      'Time limit of one call, in seconds. Default: none. Progress from the server starts it anew.',
    set: (seconds) => ({ timeoutMs: toMs(seconds) }),
  }),
  maxTimeoutSeconds: limitKey({
    rule: (is) => is.seconds,
    description: 'Time limit of one call that no progress extends, in seconds. Default: none.',
    set: (seconds) => ({ maxTimeoutMs: toMs(seconds) }),
  }),
  toolTimeouts: limitKey({
    rule: (is) => is.mapOf(is.seconds, 'must be an object of seconds, {"tool": 30}'),
    description:
      'Time limits of single tools, in seconds, by tool name. They take the place of "timeoutSeconds".',
    set: (limits) => ({
      toolTimeoutsMs: new Map(Object.entries(limits).map(([tool, seconds]) => [tool, toMs(seconds)])),
    }),
  }),
};

/** The keys of one server's entry. */
export const entryKeys = {
  command: key({
    rule: (is) => is.textOrList,
    description:
      'Program that runs the server and speaks MCP on stdin and stdout. A list holds its arguments too.',
  }),
  args: key({
    rule: (is) => is.listOf(is.text, 'must be a list of texts'),
    description: 'Arguments of the command, passed as they are, no shell.',
  }),
  env: key({
    rule: (is) => is.textMap,
    description: 'Environment variables for the server, added to those toolsift itself has.',
  }),
  cwd: key({
    rule: (is) => is.text,
    description: 'Working directory. Relative to the folder of this file; ~ is the home folder.',
  }),
  url: key({ rule: (is) => is.text, description: 'Address of a remote server, http:// or https://.' }),
  headers: key({ rule: (is) => is.textMap, description: 'HTTP headers sent with every request to "url".' }),
  login: key({
    rule: (is) => is.objectOf(loginKeys, 'must be an object, {"clientId": …}'),
    description: 'How to log in to "url" (OAuth), where the server does not say all of it.',
  }),
  type: key({
    rule: (is) => is.oneOf(Object.keys(TRANSPORTS) as TypeSpelling[], 'must be "stdio", "http" or "sse"'),
    description:
      'Transport. Default: "stdio" with "command"; with "url", Streamable HTTP, then SSE where the server knows only that.',
  }),
  disabled: key({
    rule: (is) => is.flag,
    description: 'Switches the server off without removing its entry.',
  }),
  ...limitKeys,
  ...runKeys,
};

function limitKey<T>(one: SettingKey<T, CallLimits>): SettingKey<T, CallLimits> {
  return one;
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000);
}

import { SEARCH_MODES } from '../config.ts';
import {
  anything,
  type Field,
  flag,
  listOf,
  mapOf,
  nonEmptyText,
  number,
  objectOf,
  oneOf,
  type Shape,
  text,
  textOrList,
  type ValueOf,
  wholeNumber,
} from './shape.ts';

// What may stand in toolsift.json. Each key carries the sentence that the published JSON Schema shows.

const MEGABYTE = 1024 * 1024;
/** V8 makes no longer string, and a message becomes one. */
const LONGEST_STRING = 0x1fffffe8;
/** Timers hold 31 bits of milliseconds. */
const LONGEST_TIMER_SECONDS = 2_147_483;

const seconds = number(0.001, LONGEST_TIMER_SECONDS, 'must be a number of seconds above 0');
const textMap = mapOf(text, 'must be an object of texts, {"NAME": "value"}');

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

/** How servers are run: in an entry for that server, at the top of the file for all that do not say. */
const runFields = {
  start: field(
    oneOf(['on-demand', 'eager'] as const, 'must be "on-demand" or "eager"'),
    'When a server whose tools are known starts: with its first call, or with every session. Default: "on-demand".',
  ),
  idleStopSeconds: field(
    seconds,
    'Stops a server when nothing has been asked of it for so many seconds. Default: it stays up.',
  ),
  refreshAfterHours: field(
    number(0, LONGEST_TIMER_SECONDS, 'must be a number of hours'),
    'Age at which the tools of a server are read anew in the background, in hours. Default: 24.',
  ),
  share: field(
    flag,
    'Lets all toolsift processes of this user use one process of the server. For servers without state of a session. Default: false.',
  ),
  log: field(flag, 'Keeps what the server writes to stderr, for `toolsift logs`. Default: false.'),
};

export const entryFields = {
  command: field(
    textOrList('must be text, or a list of the command and its arguments'),
    'Program that runs the server and speaks MCP on stdin and stdout. A list holds its arguments too.',
  ),
  args: field(
    listOf(text, 'must be a list of texts'),
    'Arguments of the command, passed as they are, no shell.',
  ),
  env: field(textMap, 'Environment variables for the server, added to those toolsift itself has.'),
  cwd: field(text, 'Working directory. Relative to the folder of this file; ~ is the home folder.'),
  url: field(text, 'Address of a remote server, http:// or https://.'),
  headers: field(textMap, 'HTTP headers sent with every request to "url".'),
  type: field(
    oneOf(Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[], 'must be "stdio", "http" or "sse"'),
    'Transport. Default: "stdio" with "command"; with "url", Streamable HTTP, then SSE where the server knows only that.',
  ),
  disabled: field(flag, 'Switches the server off without removing its entry.'),
  timeoutSeconds: field(
    seconds,
    'Time limit of one call, in seconds. Default: none. Progress from the server starts it anew.',
  ),
  maxTimeoutSeconds: field(
    seconds,
    'Time limit of one call that no progress extends, in seconds. Default: none.',
  ),
  toolTimeouts: field(
    mapOf(seconds, 'must be an object of seconds, {"tool": 30}'),
    'Time limits of single tools, in seconds, by tool name. They take the place of "timeoutSeconds".',
  ),
  ...runFields,
};

export const entryShape = objectOf(entryFields, 'must be an object, {"command": …} or {"url": …}');
export type Entry = ValueOf<typeof entryShape>;

const serverMap = mapOf(anything, 'must be an object of servers, {"name": {"command": …}}');

export const searchFields = {
  mode: field(
    oneOf(SEARCH_MODES, `must be one of ${SEARCH_MODES.map((mode) => `"${mode}"`).join(', ')}`),
    'How tools are ranked: "learned" by all stages, "lexical" without the learned one, "words" by the words alone, without synonyms and typo repair. Default: "learned".',
  ),
  maxTokens: field(
    wholeNumber(200, 100_000),
    'Longest search answer, in tokens; tools beyond it come without their schema. Default: 4000.',
  ),
};

export const fileFields = {
  $schema: field(text, 'Address of the JSON Schema of this file, for editors.'),
  servers: field(serverMap, 'The servers toolsift stands in for, by name.'),
  mcpServers: field(
    serverMap,
    'Another spelling of "servers", so that a block of another client can be pasted.',
  ),
  inputs: field(anything, `Written by VS Code; ignored. Use \${VAR} in place of \${input:…}.`),
  pinned: field(
    listOf(nonEmptyText, 'must be a list of tool names'),
    'Tools the client sees without searching: "tool", or "server/tool" where several servers have it.',
  ),
  topK: field(
    wholeNumber(1, 50),
    'Tools a search answers with when the client asks for no number. Default: 5.',
  ),
  maxMessageBytes: field(
    wholeNumber(1024, LONGEST_STRING),
    `Longest message accepted from a server, in bytes. Default: ${256 * MEGABYTE} (256 MiB).`,
  ),
  pinnedWaitSeconds: field(
    number(0, 5, 'must be a number from 0 to 5'),
    'How long the list of tools waits for pinned tools of servers that are still starting. Default: 2.5.',
  ),
  search: field(
    objectOf(searchFields, 'must be an object, {"mode": …}'),
    'How search ranks and how much it answers.',
  ),
  ...runFields,
};

export const fileShape = objectOf(fileFields, 'must be an object, {"servers": …}');

export const DEFAULTS = {
  topK: 5,
  maxMessageBytes: 256 * MEGABYTE,
  pinnedWaitSeconds: 2.5,
  search: { mode: 'learned', maxTokens: 4000 },
} as const;

function field<T>(shape: Shape<T>, description: string): Field<T> {
  return { shape, description };
}

import * as z from 'zod/mini';
import { SEARCH_MODES } from './config.ts';

/*
 * What may stand in toolsift.json. Each key carries the sentence that the published JSON Schema shows; each
 * rule carries the end of the sentence `"key" …` that a mistake is answered with, without the value, which
 * may be a secret.
 */

const MEGABYTE = 1024 * 1024;
/** V8 makes no longer string, and a message becomes one. */
const LONGEST_STRING = 0x1fffffe8;
/** Timers hold 31 bits of milliseconds. */
const LONGEST_TIMER_SECONDS = 2_147_483;

const text = z.string('must be text in double quotes');
const flag = z.boolean('must be true or false');
const seconds = between(0.001, LONGEST_TIMER_SECONDS, 'must be a number of seconds above 0');
const textMap = z.record(z.string(), text, 'must be an object of texts, {"NAME": "value"}');

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

export const entrySchema = z.strictObject({
  command: optional(
    z.union([text, z.array(text)], 'must be text, or a list of the command and its arguments'),
    'Program that runs the server and speaks MCP on stdin and stdout. A list holds its arguments too.',
  ),
  args: optional(
    z.array(text, 'must be a list of texts'),
    'Arguments of the command, passed as they are, no shell.',
  ),
  env: optional(textMap, 'Environment variables for the server, added to those toolsift itself has.'),
  cwd: optional(text, 'Working directory. Relative to the folder of this file; ~ is the home folder.'),
  url: optional(text, 'Address of a remote server, http:// or https://.'),
  headers: optional(textMap, 'HTTP headers sent with every request to "url".'),
  type: optional(
    z.enum(Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[], 'must be "stdio", "http" or "sse"'),
    'Transport. Default: "stdio" with "command"; with "url", Streamable HTTP, then SSE where the server knows only that.',
  ),
  disabled: optional(flag, 'Switches the server off without removing its entry.'),
  timeoutSeconds: optional(
    seconds,
    'Time limit of one call, in seconds. Default: none. Progress from the server starts it anew.',
  ),
  maxTimeoutSeconds: optional(
    seconds,
    'Time limit of one call that no progress extends, in seconds. Default: none.',
  ),
  toolTimeouts: optional(
    z.record(z.string(), seconds, 'must be an object of seconds, {"tool": 30}'),
    'Time limits of single tools, in seconds, by tool name. They take the place of "timeoutSeconds".',
  ),
});

export type Entry = z.infer<typeof entrySchema>;

const serverMap = z.record(z.string(), z.unknown(), 'must be an object of servers, {"name": {"command": …}}');

export const fileShape = {
  $schema: optional(text, 'Address of the JSON Schema of this file, for editors.'),
  servers: optional(serverMap, 'The servers toolsift stands in for, by name.'),
  mcpServers: optional(
    serverMap,
    'Another spelling of "servers", so that a block of another client can be pasted.',
  ),
  inputs: optional(z.unknown(), `Written by VS Code; ignored. Use \${VAR} in place of \${input:…}.`),
  pinned: optional(
    z.array(text.check(z.minLength(1, 'must not be empty')), 'must be a list of tool names'),
    'Tools the client sees without searching: "tool", or "server/tool" where several servers have it.',
  ),
  topK: optional(
    wholeBetween(1, 50),
    'Tools a search answers with when the client asks for no number. Default: 5.',
  ),
  maxMessageBytes: optional(
    wholeBetween(1024, LONGEST_STRING),
    `Longest message accepted from a server, in bytes. Default: ${256 * MEGABYTE} (256 MiB).`,
  ),
  pinnedWaitSeconds: optional(
    between(0, 5, 'must be a number from 0 to 5'),
    'How long the list of tools waits for pinned tools of servers that are still starting. Default: 2.5.',
  ),
  search: optional(
    z.strictObject(
      {
        mode: optional(
          z.enum(SEARCH_MODES, `must be one of ${SEARCH_MODES.map((mode) => `"${mode}"`).join(', ')}`),
          'How tools are ranked. Default: "full".',
        ),
        maxTokens: optional(
          wholeBetween(200, 100_000),
          'Longest search answer, in tokens; tools beyond it come without their schema. Default: 4000.',
        ),
      },
      'must be an object, {"mode": …}',
    ),
    'How search ranks and how much it answers.',
  ),
};

export const fileSchema = z.strictObject(fileShape, 'must be an object, {"servers": …}');

export const DEFAULTS = {
  topK: 5,
  maxMessageBytes: 256 * MEGABYTE,
  pinnedWaitSeconds: 2.5,
  search: { mode: 'full', maxTokens: 4000 },
} as const;

function optional<S extends z.ZodMiniType>(schema: S, description: string): z.ZodMiniOptional<S> {
  return z.optional(schema).check(z.describe(description));
}

function between(least: number, most: number, message: string): z.ZodMiniNumber {
  return z.number(message).check(z.minimum(least, message), z.maximum(most, message));
}

function wholeBetween(least: number, most: number): z.ZodMiniNumber {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.int(message).check(z.minimum(least, message), z.maximum(most, message));
}

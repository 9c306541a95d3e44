import { type AccessSettings, accessKeys, readAccessSettings } from './access-keys.ts';
import { type AuthSettings, authKeys, readAuthSettings } from './auth-keys.ts';
import { type Key, key, readSettings, type SettingKey } from './key.ts';
import { runKeys } from './run-keys.ts';
import { readServeSettings, type ServeSettings, serveKeys } from './serve-keys.ts';

const MEGABYTE = 1024 * 1024;
/** V8 makes no longer string, and a message becomes one. */
const LONGEST_STRING = 0x1fffffe8;

/** How search ranks. The one list of modes a file may name. */
export const SEARCH_MODES = ['learned', 'lexical', 'words'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

/** What tells meanings without a shared word. */
export const SEMANTICS = ['static', 'off'] as const;
export type Semantic = (typeof SEMANTICS)[number];

export interface SearchSettings {
  readonly mode: SearchMode;
  /** `static` where absent. */
  readonly semantic?: Semantic;
  /** Longest search answer, in tokens; hits beyond it come without their schema. */
  readonly maxTokens: number;
}

/** What the file says beside its servers. */
export interface FileSettings {
  /** Pins as written: `"name"` or `"server/name"`. */
  readonly pinned: readonly string[];
  /** Hits a search returns when the client asks for no number. */
  readonly topK: number;
  /** Longest message accepted from an upstream, in bytes. */
  readonly maxMessageBytes: number;
  /** How long `tools/list` waits for pinned tools of servers that are still starting. */
  readonly pinnedWaitMs: number;
  readonly search: SearchSettings;
  /** How `toolsift serve` serves; by `DEFAULT_SERVE_SETTINGS` where absent. */
  readonly serve?: ServeSettings;
  /** Who may come in over HTTP; whoever reaches us where absent. */
  readonly auth?: AuthSettings;
  /** What callers over HTTP may use; everything where absent. */
  readonly access?: readonly AccessSettings[];
}

export const DEFAULT_SEARCH_SETTINGS: SearchSettings = { mode: 'learned', maxTokens: 4000 };

export const DEFAULT_FILE_SETTINGS: FileSettings = {
  pinned: [],
  topK: 5,
  maxMessageBytes: 256 * MEGABYTE,
  pinnedWaitMs: 2500,
  search: DEFAULT_SEARCH_SETTINGS,
};

/** The spellings of the object that holds the servers; a file may have both. */
export const SERVER_KEYS = ['servers', 'mcpServers'] as const;
export type ServersKey = (typeof SERVER_KEYS)[number];

const serverMap: Key<Record<string, unknown>>['rule'] = (is) =>
  is.mapOf(is.anything, 'must be an object of servers, {"name": {"command": …}}');

export const searchKeys = {
  mode: searchKey({
    rule: (is) =>
      is.oneOf(SEARCH_MODES, `must be one of ${SEARCH_MODES.map((mode) => `"${mode}"`).join(', ')}`),
    description:
      'How tools are ranked: "learned" by all stages, "lexical" without the learned one, "words" by the words alone, without synonyms and typo repair. Default: "learned".',
    set: (mode) => ({ mode }),
  }),
  semantic: searchKey({
    rule: (is) => is.oneOf(SEMANTICS, `must be one of ${SEMANTICS.map((one) => `"${one}"`).join(', ')}`),
    description:
      'Whether tools are also found by what words mean: "static" by the word vectors of the package, "off" by words alone. Counts where the mode is "learned". Default: "static".',
    set: (semantic) => ({ semantic }),
  }),
  maxTokens: searchKey({
    rule: (is) => is.wholeNumber(200, 100_000),
    description:
      'Longest search answer, in tokens; tools beyond it come without their schema. Default: 4000.',
    set: (maxTokens) => ({ maxTokens }),
  }),
};

export const settingKeys = {
  pinned: fileKey({
    rule: (is) => is.listOf(is.nonEmptyText, 'must be a list of tool names'),
    description:
      'Tools the client sees without searching: "tool", or "server/tool" where several servers have it.',
    set: (pinned) => ({ pinned }),
  }),
  topK: fileKey({
    rule: (is) => is.wholeNumber(1, 50),
    description: 'Tools a search answers with when the client asks for no number. Default: 5.',
    set: (topK) => ({ topK }),
  }),
  maxMessageBytes: fileKey({
    rule: (is) => is.wholeNumber(1024, LONGEST_STRING),
    description: `Longest message accepted from a server, in bytes. Default: ${256 * MEGABYTE} (256 MiB).`,
    set: (maxMessageBytes) => ({ maxMessageBytes }),
  }),
  pinnedWaitSeconds: fileKey({
    rule: (is) => is.number(0, 5, 'must be a number from 0 to 5'),
    description:
      'How long the list of tools waits for pinned tools of servers that are still starting. Default: 2.5.',
    set: (seconds) => ({ pinnedWaitMs: Math.round(seconds * 1000) }),
  }),
  search: fileKey({
    rule: (is) => is.objectOf(searchKeys, 'must be an object, {"mode": …}'),
    description: 'How search ranks and how much it answers.',
    set: (written) => ({ search: readSettings(searchKeys, written, DEFAULT_SEARCH_SETTINGS) }),
  }),
  serve: fileKey({
    rule: (is) => is.objectOf(serveKeys, 'must be an object, {"port": …}'),
    description: 'How `toolsift serve` serves.',
    set: (written) => ({ serve: readServeSettings(written) }),
  }),
  auth: fileKey({
    rule: (is) => is.objectOf(authKeys, 'must be an object, {"tokens": …} or {"oauth": …}'),
    description: 'Who may come in over HTTP. Default: whoever reaches us, which is this machine alone.',
    set: (written) => ({ auth: readAuthSettings(written) }),
  }),
  access: fileKey({
    rule: (is) =>
      is.listOf(is.objectOf(accessKeys, 'must be an object, {"allow": …}'), 'must be a list of rules'),
    description:
      'What callers over HTTP may use: what one of the rules that concern them allows and none denies. What is denied does not exist for them. Default: everything.',
    set: (rules) => ({ access: rules.map(readAccessSettings) }),
  }),
};

/** The keys of the file. */
export const fileKeys = {
  $schema: key({
    rule: (is) => is.text,
    description: 'Address of the JSON Schema of this file, for editors.',
  }),
  servers: key({ rule: serverMap, description: 'The servers toolsift stands in for, by name.' }),
  mcpServers: key({
    rule: serverMap,
    description: 'Another spelling of "servers", so that a block of another client can be pasted.',
  }),
  inputs: key({
    rule: (is) => is.anything,
    description: `Written by VS Code; ignored. Use \${VAR} in place of \${input:…}.`,
  }),
  ...settingKeys,
  ...runKeys,
};

function searchKey<T>(one: SettingKey<T, SearchSettings>): SettingKey<T, SearchSettings> {
  return one;
}

function fileKey<T>(one: SettingKey<T, FileSettings>): SettingKey<T, FileSettings> {
  return one;
}

import { readSettings, type SettingKey } from './key.ts';

/** What callers of one description may use and may not. */
export interface AccessSettings {
  readonly subjects?: readonly string[];
  readonly claims?: Readonly<Record<string, string>>;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

const NOTHING: AccessSettings = { allow: [], deny: [] };

export const accessKeys = {
  subject: accessKey({
    rule: (is) => is.textOrTexts,
    description:
      'Whom the rule concerns: the name of a token, or the subject of an access token; "*" stands for any characters. Several in a list. Default: everybody.',
    set: (subject) => ({ subjects: typeof subject === 'string' ? [subject] : subject }),
  }),
  claim: accessKey({
    rule: (is) => is.textMap,
    description:
      'What an access token has to say for the rule to concern its holder: {"groups": "admins"}. It fits the claim, one item of a list, or one word of a text.',
    set: (claims) => ({ claims }),
  }),
  allow: accessKey({
    rule: (is) => is.listOf(is.nonEmptyText, 'must be a list of patterns, e.g. "server/tool"'),
    description:
      'What they may use: "server", "server/tool", "server/get_*", "*". Prompts count by their names, resources by their URIs. Default: [].',
    set: (allow) => ({ allow }),
  }),
  deny: accessKey({
    rule: (is) => is.listOf(is.nonEmptyText, 'must be a list of patterns, e.g. "server/tool"'),
    description: 'What they may not use, whatever any rule allows. Default: [].',
    set: (deny) => ({ deny }),
  }),
};

export function readAccessSettings(written: Readonly<Record<string, unknown>>): AccessSettings {
  return readSettings(accessKeys, written, NOTHING);
}

function accessKey<T>(key: SettingKey<T, AccessSettings>): SettingKey<T, AccessSettings> {
  return key;
}

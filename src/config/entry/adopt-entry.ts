import { entryKeys, TRANSPORTS } from '../schema/entry-keys.ts';
import {
  asksForSomething,
  ENABLING,
  HEADER_VARIABLES,
  IGNORED,
  isCommentKey,
  SPELLINGS,
  TOKEN_VARIABLES,
} from '../schema/foreign-keys.ts';
import type { MisspeltKeys } from '../schema/unknown-key.ts';
import type { Path } from '../text/json-value.ts';
import { isObject } from '../text/json-value.ts';
import { adoptValue, unfold } from './adopt-value.ts';

/** Something wrong with an entry. */
export interface Fault {
  /** What is wrong and what to do. */
  readonly text: string;
  /** Where it stands in the entry as written, where it stands somewhere. */
  readonly path?: Path;
}

export interface AdoptedEntry {
  /** The entry in our own spellings, and nothing else. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** How each of its keys is spelled in the file. */
  readonly writtenAs: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
  readonly faults: readonly Fault[];
}

/** Reads what any client may have written into our own spellings: comments go, other spellings become ours. */
export function adoptEntry(raw: Readonly<Record<string, unknown>>, misspeltKeys: MisspeltKeys): AdoptedEntry {
  const entry: Record<string, unknown> = Object.create(null);
  const writtenAs = new Map<string, string>();
  const warnings: string[] = [];
  const faults: Fault[] = [];

  const put = (key: string, own: string, value: unknown) => {
    const earlier = writtenAs.get(own);
    if (earlier !== undefined && !isSame(entry[own], value)) {
      faults.push({ text: `"${earlier}" and "${key}" disagree; keep "${own}"`, path: [key] });
    }
    writtenAs.set(own, key);
    entry[own] = value;
  };
  const addHeaders = (key: string, headers: Readonly<Record<string, string>>) => {
    if (!writtenAs.has('headers')) writtenAs.set('headers', key);
    entry.headers = { ...headers, ...(isObject(entry.headers) && entry.headers) };
  };

  for (const [key, value] of unfold(raw)) {
    // Some clients write every member they know, with null for what is not set.
    if (value === null || isCommentKey(key)) continue;
    const own = Object.hasOwn(entryKeys, key) ? key : SPELLINGS.get(key);
    if (own !== undefined) {
      const adopted = adoptValue(own, value);
      put(key, own, adopted.value);
      warnings.push(...adopted.warnings.map((warning) => `"${key}${warning.at}" ${warning.text}`));
    } else if (ENABLING.has(key)) {
      if (typeof value === 'boolean') put(key, 'disabled', !value);
      else faults.push({ text: `"${key}" must be true or false`, path: [key] });
    } else if (TOKEN_VARIABLES.has(key)) {
      if (isVariableName(value)) addHeaders(key, { Authorization: `Bearer \${${value}}` });
      else faults.push({ text: `"${key}" must be the name of a variable, like API_TOKEN`, path: [key] });
    } else if (HEADER_VARIABLES.has(key)) {
      const values = variablesAsValues(value);
      if (values !== undefined) addHeaders(key, values);
      else
        faults.push({
          text: `"${key}" must be an object of names of variables, {"X-Key": "API_KEY"}`,
          path: [key],
        });
    } else if (IGNORED.has(key)) {
      const reason = IGNORED.get(key);
      if (reason && asksForSomething(key, value)) warnings.push(`"${key}" is ignored: ${reason}`);
    } else {
      const misspelt = misspeltKeys.about(key);
      if (misspelt === undefined) warnings.push(`"${key}" is ignored: it is no key toolsift knows`);
      else faults.push({ text: `"${key}" ${misspelt}`, path: [key] });
    }
  }
  decideKind(entry, writtenAs, warnings);
  return { entry, writtenAs, warnings, faults };
}

/** What an entry with two addresses means: `type` decides where there is one. */
function decideKind(
  entry: Record<string, unknown>,
  writtenAs: ReadonlyMap<string, string>,
  warnings: string[],
): void {
  // Gemini CLI tells Streamable HTTP from SSE by the key alone.
  if (writtenAs.get('url') === 'httpUrl' && !writtenAs.has('type')) entry.type = 'http';
  if (entry.command === undefined || entry.url === undefined) return;
  // Any other text is no type, and may be anything.
  if (typeof entry.type !== 'string' || !Object.hasOwn(TRANSPORTS, entry.type)) return;
  const loser = entry.type === 'stdio' || entry.type === 'local' ? 'url' : 'command';
  warnings.push(`"${writtenAs.get(loser)}" is ignored: "type" is "${entry.type}"`);
  delete entry[loser];
}

function variablesAsValues(variables: unknown): Record<string, string> | undefined {
  if (!isObject(variables)) return undefined;
  const pairs = Object.entries(variables);
  if (!pairs.every(([, variable]) => isVariableName(variable))) return undefined;
  return Object.fromEntries(pairs.map(([header, variable]) => [header, `\${${variable}}`]));
}

/** Names as they are usual: what is none of these may be the token itself, which no message may repeat. */
function isVariableName(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Z_][A-Z0-9_]*$/.test(value);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

import type { RunSettings } from '../schema/run-keys.ts';
import type { MisspeltKeys } from '../schema/unknown-key.ts';
import type { Path } from '../text/json-value.ts';
import type { Fault } from './adopt-entry.ts';
import { type Environment, expandVariables, missingVariable } from './expand-variables.ts';
import type { VariableValue } from './server-config.ts';

/** Where an entry stands and runs. */
export interface EntryPlace {
  /** Folder of the file: relative `cwd`s start here. */
  readonly folder: string;
  /** Toolsift's own working directory. */
  readonly cwd: string;
  /** Absent: variables stay as written, for a look at the rest of the entry. */
  readonly env?: Environment;
  /** How servers are run whose entries do not say. */
  readonly defaults?: RunSettings;
  /** What the schema does not allow about an entry; absent where it is known to allow it. */
  readonly check?:
    | ((entry: unknown) => readonly { readonly path: Path; readonly message: string }[])
    | undefined;
  /** Shared by the entries of one file. */
  readonly misspeltKeys?: MisspeltKeys;
  /** The line of something in the entry, where there are lines. */
  readonly lineOf?: (path: Path) => number | undefined;
}

/** An entry being read: where it stands, and what was found wrong with it so far. */
export interface EntryReading {
  readonly place: EntryPlace;
  readonly faults: Fault[];
  readonly warnings: string[];
  /** What variables have given so far. */
  readonly fromVariables: VariableValue[];
}

/** @param ownEnv variables the server itself gets, for which references stay as written: it fills them in */
export function expand(
  written: string,
  path: string,
  { place, faults, fromVariables }: EntryReading,
  ownEnv: Readonly<Record<string, string>> = {},
): string {
  const { text, missing } =
    place.env === undefined
      ? { text: written, missing: [] }
      : expandVariables(written, place.env, (variable) => fromVariables.push(variable));
  const unknown = missing.filter((variable) => !Object.hasOwn(ownEnv, variable));
  faults.push(...unknown.map((variable) => ({ text: missingVariable(variable, path) })));
  if (text.includes('\0'))
    faults.push({ text: `"${path}" has a NUL character, which no program can be given` });
  return text;
}

/** As `expand`, for values no shell ever sees: there, `$NAME` was meant for a client that fills that in. */
export function expandValue(written: string, path: string, reading: EntryReading): string {
  const bare = /\$([A-Z][A-Z0-9_]{2,})/.exec(written)?.[1];
  if (bare !== undefined && reading.place.env?.[bare] !== undefined)
    reading.warnings.push(`"${path}" keeps $${bare} as it is; for the variable write \${${bare}}`);
  return expand(written, path, reading);
}

export function expandMap(
  map: Readonly<Record<string, string>>,
  path: string,
  reading: EntryReading,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(map).map(([key, value]) => [key, expandValue(value, `${path}.${key}`, reading)]),
  );
}

/** What variables gave, as a part of the server's configuration. */
export function givenBy({ fromVariables }: EntryReading): { fromVariables?: readonly VariableValue[] } {
  const byName = new Map(fromVariables.map((variable) => [variable.name, variable]));
  return byName.size === 0 ? {} : { fromVariables: [...byName.values()] };
}

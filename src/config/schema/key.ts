import type { ZodMiniType } from 'zod/mini';
import type * as rules from './rules.ts';

/**
 * A key that may stand in toolsift.json. Its rule is asked for only where a file is checked, so that reading a file
 * which was checked before loads no schema library.
 */
export interface Key<T = unknown> {
  readonly rule: (is: typeof rules) => ZodMiniType<T>;
  /** The sentence of the published JSON Schema. */
  readonly description: string;
}

/** A key that says a setting. */
export interface SettingKey<T, Settings> extends Key<T> {
  readonly set: (value: T) => Partial<Settings>;
}

export function key<T>(one: Key<T>): Key<T> {
  return one;
}

/** The settings as written, over the defaults for what is not said. */
export function readSettings<Settings extends object>(
  keys: Readonly<Record<string, Pick<SettingKey<never, Settings>, 'set'>>>,
  written: Readonly<Record<string, unknown>>,
  defaults: Settings,
): Settings {
  const settings = { ...defaults };
  for (const [name, { set }] of Object.entries(keys)) {
    // Its rule has held for the value, now or when the text was checked.
    if (written[name] !== undefined) Object.assign(settings, set(written[name] as never));
  }
  return settings;
}

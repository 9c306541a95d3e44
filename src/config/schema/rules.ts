import * as z from 'zod/mini';
import type { Key } from './key.ts';
import * as rules from './rules.ts';

/*
 * The kinds of values toolsift.json is made of. A rule's message is the end of the sentence `"key" …`; it never
 * repeats the value, which may be a secret.
 */

/** Timers hold 31 bits of milliseconds. */
const LONGEST_TIMER_SECONDS = 2_147_483;

/** The sentence of each key, for editors. */
export const descriptions = z.registry<{ description: string }>();

export const anything = z.unknown();

export const text = z.string({ error: 'must be text in double quotes' });

export const nonEmptyText = text.check(z.minLength(1, 'must not be empty'));

export const flag = z.boolean({ error: 'must be true or false' });

export const seconds = number(0.001, LONGEST_TIMER_SECONDS, 'must be a number of seconds above 0');

export const hours = number(0, LONGEST_TIMER_SECONDS, 'must be a number of hours');

export const textMap = mapOf(text, 'must be an object of texts, {"NAME": "value"}');

export const textOrList = z.union([text, z.array(text)], {
  error: 'must be text, or a list of the command and its arguments',
});

export const textOrTexts = z.union([text, z.array(text)], { error: 'must be text or a list of texts' });

export const pathText = text.check(z.regex(/^\/[^?#\s]*$/, 'must be a path that begins with a slash'));

export const webAddress = text.check(
  z.regex(/^https?:\/\/[^\s/]/, 'must be an address, http:// or https://'),
);

export function number(minimum: number, maximum: number, rule: string) {
  return z.number({ error: rule }).check(z.gte(minimum, rule), z.lte(maximum, rule));
}

export function wholeNumber(minimum: number, maximum: number) {
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  return z.int({ error: rule }).check(z.gte(minimum, rule), z.lte(maximum, rule));
}

export function oneOf<const T extends string>(values: readonly T[], rule: string) {
  return z.enum(values, { error: rule });
}

export function listOf<T extends z.ZodMiniType>(items: T, rule: string) {
  return z.array(items, { error: rule });
}

export function mapOf<T extends z.ZodMiniType>(values: T, rule: string) {
  return z.record(z.string(), values, { error: rule });
}

type ShapeOf<K extends Readonly<Record<string, Key>>> = {
  -readonly [Name in keyof K]: z.ZodMiniOptional<ReturnType<K[Name]['rule']>>;
};

/** An object of known keys, none of which is required. */
export function objectOf<K extends Readonly<Record<string, Key>>>(keys: K, rule: string) {
  const shape = Object.entries(keys).map(([name, { rule: ruleOf, description }]) => [
    name,
    z.optional(ruleOf(rules)).register(descriptions, { description }),
  ]);
  return z.strictObject(Object.fromEntries(shape) as ShapeOf<K>, { error: rule });
}

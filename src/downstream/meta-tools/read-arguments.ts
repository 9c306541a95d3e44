import { ToolsiftError } from '../../errors.ts';
import { memberOf } from '../../json/members.ts';
import type { Member } from '../../json/scan.ts';
import { type Frame, parsePart } from '../../jsonrpc/frame.ts';

/** The value of an argument; undefined when it is absent or null. */
export function argumentOf(frame: Frame, args: readonly Member[], name: string): unknown {
  return parsePart(frame, memberOf(args, name)) ?? undefined;
}

/** @throws ToolsiftError `invalid_arguments` when it is absent or no string */
export function stringArgument(frame: Frame, args: readonly Member[], tool: string, name: string): string {
  const value = argumentOf(frame, args, name);
  if (typeof value === 'string') return value;
  const found = value === undefined ? 'is missing' : `is ${kindOf(value)}`;
  throw new ToolsiftError('invalid_arguments', `${tool} needs "${name}" as a string; it ${found}`);
}

/** What a value is, in a word for a message. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

import { stripVTControlCharacters } from 'node:util';
import { cut } from './cut.ts';

/** Longest piece of what somebody else wrote that a message quotes, in characters. */
export const MAX_QUOTE_LENGTH = 200;
/** Longest reason of a state or an error, quotes included, in characters. */
export const MAX_REASON_LENGTH = 1200;
/** Longest message in the log, stacks included, in characters. */
export const MAX_LOG_LENGTH = 8000;

/** What a terminal acts on or shows as nothing: controls, directions of writing, characters without width. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}]/gu;
const LINE_BREAK = /\r\n?|[\u2028\u2029]/g;

/**
 * Text that others wrote, for people's eyes: without colours and commands to the terminal, and with everything else
 * that would not be seen written out, e.g. `\u202e`. Lines stay lines.
 */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replace(LINE_BREAK, '\n').replace(UNSEEN, writtenOut);
}

/** The same on one line. */
export function oneLine(text: string): string {
  return harmless(text).replace(/\s+/g, ' ').trim();
}

/** The beginning of what somebody else wrote, on one line, for a message that quotes it. */
export function excerpt(text: string): string {
  return cut(oneLine(text), MAX_QUOTE_LENGTH);
}

/** JSON text that means what it meant, with everything a terminal would act on as an escape within its strings. */
export function harmlessJson(text: string): string {
  // Outside of strings JSON has none of these but line breaks.
  return text.replaceAll('\r', '').replace(UNSEEN, writtenOut).replace(LINE_BREAK, writtenOut);
}

function writtenOut(character: string): string {
  return character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

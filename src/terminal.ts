import { harmless, harmlessJson } from './foreign-text.ts';

const CLEAR_LINE = '\r\u001b[K';
const DEFAULT_COLUMNS = 80;

/**
 * All that is printed for people goes through here and arrives harmless: what servers, files and command lines hold
 * cannot move the cursor, set titles, reach the clipboard or turn the direction of writing.
 */
export function say(text: string): void {
  process.stdout.write(`${harmless(text)}\n`);
}

/** JSON keeps its meaning; what a terminal would act on is escaped within its strings. */
export function sayJson(json: string): void {
  process.stdout.write(`${harmlessJson(json)}\n`);
}

/** For people too, beside the answer: errors, warnings, the log. */
export function complain(text: string): void {
  process.stderr.write(`${harmless(text)}\n`);
}

/** One line on stderr that the next one replaces, and `undefined` takes away; nothing where stderr is no terminal. */
export function showStatus(text: string | undefined): void {
  const { stderr } = process;
  if (!stderr.isTTY) return;
  const line = text === undefined ? '' : harmless(text).slice(0, (stderr.columns ?? DEFAULT_COLUMNS) - 1);
  stderr.write(`${CLEAR_LINE}${line}`);
}

/** Calls back when whatever was written to stdout has left. */
export function whenWritten(callback: () => void): void {
  process.stdout.write('', callback);
}

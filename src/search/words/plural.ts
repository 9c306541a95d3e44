import { stem } from './stem.ts';

/** Whether an English noun has the ending of a plural: files, statuses, not status nor address. */
export function isPlural(word: string): boolean {
  return word.length > 3 && /[^sui]s$|ses$/.test(word) && stem(word) !== word;
}

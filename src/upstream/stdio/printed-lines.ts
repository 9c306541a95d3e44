import { harmless } from '../../foreign-text.ts';
import type { Redactor } from '../redact.ts';
import { lastWords } from './last-words.ts';

const KEPT_LINES = 20;
/** Longer lines arrive cut. */
const LONG_LINE = 1000;

/** What a server printed on stdout that is no message: some say there why they fail. */
export class PrintedLines {
  #lines: string[] = [];

  add(line: string): void {
    this.#lines = [...this.#lines, line].slice(-KEPT_LINES);
  }

  /** The same as of stderr. */
  lastWords(redactor: Redactor): string {
    const lines = this.#lines.map((line) => redactor.hide(line, { isCutAfter: line.length >= LONG_LINE }));
    return lastWords(redactor.hide(harmless(redactor.hide(lines.join('\n')))));
  }
}

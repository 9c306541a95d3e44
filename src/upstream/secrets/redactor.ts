import { type Needle, needlesOf, type Secret } from './needles.ts';
import { asText, type Reading, readingsOf } from './readings.ts';
import { Sieve } from './sieve.ts';
import { asView, originOf, type Range, type TextView, viewOf } from './text-view.ts';

const HIDDEN = '***';
/** A piece of a credential this long is hidden, whoever has cut it out. */
const PIECE_LENGTH = 10;
/** Where a text was cut, the beginning or the end of a secret that stands there is hidden from this length on. */
const MIN_CUT_LENGTH = 3;

/** A secret, spelled as it may be, is not longer. */
const OPEN_LENGTH = 8 * 1024;

const MIN_OPEN_LINE_LENGTH = 4;
const UNFINISHED_ESCAPE = /(?:%[0-9a-f]?|\\(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|&#?\w{0,7})$/i;

/** Where a text begins or ends because it was cut there. */
export interface Cut {
  readonly isCutBefore?: boolean;
  readonly isCutAfter?: boolean;
}

/** Hides secrets in texts, in whatever spelling they turn up. */
export class Redactor {
  readonly #needles: readonly Needle[];
  readonly #pieces: ReadonlySet<string>;
  readonly #sieve: Sieve;

  constructor(secrets: Iterable<Secret>) {
    this.#needles = [...secrets].flatMap(needlesOf);
    this.#sieve = new Sieve(this.#needles);
    this.#pieces = new Set(this.#needles.flatMap(piecesOf));
  }

  /** The text with every secret in it replaced. It must be as it was received: not folded, cut or stripped before. */
  hide(text: string, cut: Cut = {}): string {
    return replaced(text, this.#rangesIn(text, cut));
  }

  /**
   * Takes a text apart whose end is not there yet: what is settled, without the secrets in it, and what may go on as
   * a secret.
   */
  settle(text: string): { readonly settled: string; readonly open: string } {
    const ranges = this.#rangesIn(text, {});
    const openFrom = this.#openFrom(text);
    const from = Math.min(openFrom, ...ranges.filter(({ end }) => end > openFrom).map(({ start }) => start));
    const settled = replaced(
      text.slice(0, from),
      ranges.filter(({ end }) => end <= from),
    );
    return { settled, open: text.slice(from) };
  }

  #rangesIn(text: string, cut: Cut): Range[] {
    if (this.#needles.length === 0) return [];
    const isCut = cut.isCutBefore === true || cut.isCutAfter === true;
    if (!isCut && !this.#sieve.mayHold(text)) return [];
    return readingsOf(viewOf(text), asView).flatMap((reading) => this.#find(reading, cut));
  }

  /** Where something begins at the end of a text that may go on as a secret; the text's length if nothing does. */
  #openFrom(text: string): number {
    const tailAt = Math.max(0, text.length - OPEN_LENGTH);
    const unfinished = UNFINISHED_ESCAPE.exec(text)?.index ?? text.length;
    const tail = text.slice(tailAt, unfinished);
    // Few letters at the end of a line tell nothing, even if what begins with them goes on in the next.
    const min = text.endsWith('\n') ? MIN_OPEN_LINE_LENGTH : 1;
    const isOpen = readingsOf(tail, asText).some((reading) =>
      this.#needles.some((needle) => endLength(reading[needle.closeness], needle.text, min) > 0),
    );
    if (!isOpen) return unfinished;
    const starts = readingsOf(viewOf(tail), asView).flatMap((reading) =>
      this.#needles.flatMap((needle) => {
        const view = reading[needle.closeness];
        const length = endLength(view.text, needle.text, min);
        return length === 0
          ? []
          : [tailAt + originOf(view, view.text.length - length, view.text.length).start];
      }),
    );
    return Math.min(unfinished, ...starts);
  }

  #find(reading: Reading<TextView>, cut: Cut): Range[] {
    const whole = this.#needles.flatMap((needle) => occurrences(reading[needle.closeness], needle.text));
    return [...whole, ...this.#findPieces(reading.word), ...this.#findCut(reading, cut)];
  }

  #findPieces(view: TextView): Range[] {
    if (this.#pieces.size === 0) return [];
    const found: Range[] = [];
    for (let at = 0; at + PIECE_LENGTH <= view.text.length; at++) {
      if (this.#pieces.has(view.text.slice(at, at + PIECE_LENGTH)))
        found.push(originOf(view, at, at + PIECE_LENGTH));
    }
    return found;
  }

  #findCut(reading: Reading<TextView>, { isCutBefore = false, isCutAfter = false }: Cut): Range[] {
    if (!isCutBefore && !isCutAfter) return [];
    return this.#needles.flatMap(({ closeness, text }) => {
      const view = reading[closeness];
      const { length } = view.text;
      const after = isCutAfter ? endLength(view.text, text, MIN_CUT_LENGTH) : 0;
      const before = isCutBefore ? startLength(view.text, text, MIN_CUT_LENGTH) : 0;
      return [
        ...(after === 0 ? [] : [originOf(view, length - after, length)]),
        ...(before === 0 ? [] : [originOf(view, 0, before)]),
      ];
    });
  }
}

function piecesOf({ closeness, text, isStrong }: Needle): string[] {
  if (!isStrong || closeness !== 'word' || text.length <= PIECE_LENGTH) return [];
  return Array.from({ length: text.length - PIECE_LENGTH + 1 }, (_, at) => text.slice(at, at + PIECE_LENGTH));
}

function occurrences(view: TextView, needle: string): Range[] {
  const found: Range[] = [];
  for (let at = view.text.indexOf(needle); at >= 0; at = view.text.indexOf(needle, at + 1)) {
    found.push(originOf(view, at, at + needle.length));
  }
  return found;
}

/** How much of the needle's beginning the text ends with; 0 where that is less than `min`. */
function endLength(text: string, needle: string, min: number): number {
  const last = text.at(-1);
  for (let length = Math.min(text.length, needle.length - 1); length >= min; length--) {
    if (needle[length - 1] === last && text.endsWith(needle.slice(0, length))) return length;
  }
  return 0;
}

/** How much of the needle's end the text begins with; 0 where that is less than `min`. */
function startLength(text: string, needle: string, min: number): number {
  for (let length = Math.min(text.length, needle.length - 1); length >= min; length--) {
    if (text.startsWith(needle.slice(-length))) return length;
  }
  return 0;
}

/** The text with ranges of it replaced; ranges that overlap are one. */
function replaced(text: string, ranges: readonly Range[]): string {
  let written = '';
  let at = 0;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= at) continue;
    if (start >= at) written += `${text.slice(at, start)}${HIDDEN}`;
    at = end;
  }
  return written + text.slice(at);
}

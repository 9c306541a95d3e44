import type { Rewriter } from './readings.ts';

/** A text as it reads in some spelling, and where in the original each of its characters stands. */
export interface TextView {
  readonly text: string;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** A range of the original, its end excluded. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export function viewOf(text: string): TextView {
  const starts = Uint32Array.from({ length: text.length }, (_, index) => index);
  return { text, starts, ends: starts.map((start) => start + 1) };
}

/**
 * The view with every match of a pattern read as something else. What it is read as must not be longer than the
 * match, and stands where the whole match stands.
 */
function rewrite(view: TextView, pattern: RegExp, read: (match: string) => string): TextView {
  const { text } = view;
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let written = '';
  let at = 0;
  const copy = (to: number) => {
    starts.set(view.starts.subarray(at, to), written.length);
    ends.set(view.ends.subarray(at, to), written.length);
    written += text.slice(at, to);
  };
  for (const { 0: match, index } of text.matchAll(pattern)) {
    copy(index);
    at = index + match.length;
    const reading = read(match);
    if (reading.length === match.length) {
      // Letter for letter.
      starts.set(view.starts.subarray(index, at), written.length);
      ends.set(view.ends.subarray(index, at), written.length);
      written += reading;
      continue;
    }
    starts.fill(view.starts[index] ?? 0, written.length, written.length + reading.length);
    ends.fill(view.ends[at - 1] ?? 0, written.length, written.length + reading.length);
    written += reading;
  }
  if (at === 0) return view;
  copy(text.length);
  return {
    text: written,
    starts: starts.subarray(0, written.length),
    ends: ends.subarray(0, written.length),
  };
}

/** Where in the original a part of the view stands. */
export function originOf(view: TextView, start: number, end: number): Range {
  return { start: view.starts[start] ?? 0, end: view.ends[end - 1] ?? 0 };
}

export const asView: Rewriter<TextView> = { rewrite };

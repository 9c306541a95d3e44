/** What is known of JSON text, comments allowed, before it is parsed. */
export interface Measure {
  /** How deep its objects and lists stand in each other. */
  readonly depth: number;
  /** Keys of members as written, those that stand twice among them. */
  readonly keys: number;
}

const [QUOTE, BACKSLASH, SLASH, STAR, COLON] = [0x22, 0x5c, 0x2f, 0x2a, 0x3a];
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Walks over a text once, without recursion: parsers overflow the stack on what is nested too deep. */
export function measure(text: string): Measure {
  let [depth, deepest, keys] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
      if (text.charCodeAt(afterBlanks(text, at + 1)) === COLON) keys += 1;
    } else if (unit === SLASH) at = endOfComment(text, at);
    else if (OPENING.has(unit)) deepest = Math.max(deepest, ++depth);
    else if (CLOSING.has(unit)) depth -= 1;
  }
  return { depth: deepest, keys };
}

/** The quote that closes a string; the end of the text where none does. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit === BACKSLASH) at += 1;
  }
  return text.length;
}

/** The last character of a comment; the slash itself where it begins none. */
function endOfComment(text: string, start: number): number {
  const next = text.charCodeAt(start + 1);
  if (next !== SLASH && next !== STAR) return start;
  const [end, length] = next === STAR ? [text.indexOf('*/', start + 2), 2] : [endOfLine(text, start), 1];
  return end < 0 ? text.length : end + length - 1;
}

function endOfLine(text: string, start: number): number {
  const ends = [text.indexOf('\n', start), text.indexOf('\r', start)].filter((at) => at >= 0);
  return ends.length === 0 ? -1 : Math.min(...ends);
}

function afterBlanks(text: string, start: number): number {
  let at = start;
  while (BLANK.has(text.charCodeAt(at))) at += 1;
  return at;
}

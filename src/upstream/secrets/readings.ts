const ESC = String.fromCharCode(0x1b);
const BEL = String.fromCharCode(0x07);
const C1_CSI = String.fromCharCode(0x9b);
const ESCAPE =
  /(?:%[0-9a-f]{2})+|(?:\\x[0-9a-f]{2})+|\\u\{[0-9a-f]{1,6}\}|\\u[0-9a-f]{4}|\\[0-7]{3}|\\.|&#x[0-9a-f]{1,6};|&#\d{1,7};|&(?:amp|lt|gt|quot|apos|nbsp);/gis;
const NAMED: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  e: ESC,
  '\n': '',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&nbsp;': ' ',
};
/** An escape may be escaped again, as JSON within JSON is. */
const MOST_ROUNDS = 3;

/** Titles, links and the like, with what they carry. */
const CARRIED = new RegExp(`${ESC}[\\]PX^_][^${ESC}${BEL}]*(?:${BEL}|${ESC}\\\\)`, 'g');
/** Colours, and what shows as nothing. */
const NOISE = new RegExp(
  `(?:${ESC}\\[|${C1_CSI})[0-?]*[ -/]*[@-~]|${ESC}(?:\\[[0-?]*)?[ -/]*$|${ESC}[ -/]*[@-~]|(?![\\t\\n\\r])[\\p{Cc}\\p{Cf}]`,
  'gu',
);
/** White space, and how inspected texts are continued on the next line. */
const BLANK = /(['"`])\s*\+?\s*\n\s*\1|\s+/g;
export const NOT_WORD = /[^A-Za-z0-9\u00aa-\uffff]+/g;

/** How closely two texts are compared: as they read; without white space; by their letters and digits alone. */
export type Closeness = 'read' | 'dense' | 'word';
export type Reading<Text> = Readonly<Record<Closeness, Text>>;

/** How a text is rewritten: as a string, or as a view that knows where its characters come from. */
export interface Rewriter<Text> {
  rewrite(text: Text, pattern: RegExp, read: (match: string) => string): Text;
}

/** Every way in which a text may be meant: as it stands, and with its escapes undone once and more often. */
export function readingsOf<Text>(text: Text, by: Rewriter<Text>): Reading<Text>[] {
  return firstOf(text, by)
    .flatMap((first) => roundsOf(first, by))
    .map((round) => readingOf(round, by));
}

/** The text without titles and the like comes second, where it has any. */
function firstOf<Text>(text: Text, by: Rewriter<Text>): Text[] {
  const bare = by.rewrite(text, CARRIED, () => '');
  return bare === text ? [text] : [text, bare];
}

function roundsOf<Text>(first: Text, by: Rewriter<Text>): Text[] {
  const rounds = [first];
  for (let last = first; rounds.length <= MOST_ROUNDS; rounds.push(last)) {
    const next = by.rewrite(last, ESCAPE, meantBy);
    if (next === last) break;
    last = next;
  }
  return rounds;
}

function readingOf<Text>(text: Text, by: Rewriter<Text>): Reading<Text> {
  const seen = by.rewrite(text, NOISE, () => '');
  // Other letters may change their length with their case.
  const read = by.rewrite(seen, /[A-Z]+/g, (capitals) => capitals.toLowerCase());
  const dense = by.rewrite(read, BLANK, () => '');
  return { read, dense, word: by.rewrite(dense, NOT_WORD, () => '') };
}

function meantBy(match: string): string {
  if (match.startsWith('%')) return bytesOf(match.replaceAll('%', ''));
  if (/^\\x/i.test(match)) return bytesOf(match.replaceAll(/\\x/gi, ''));
  if (/^\\u./i.test(match)) return characterOf(Number.parseInt(match.replace(/[^0-9a-f]/gi, ''), 16));
  if (/^\\\d../.test(match)) return String.fromCharCode(Number.parseInt(match.slice(1), 8));
  if (match.startsWith('&#')) {
    const isHex = /^&#x/i.test(match);
    return characterOf(Number.parseInt(match.slice(isHex ? 3 : 2), isHex ? 16 : 10));
  }
  const key = match.startsWith('\\') ? match.slice(1) : match.toLowerCase();
  return NAMED[key] ?? key;
}

function bytesOf(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

export const asText: Rewriter<string> = {
  rewrite: (text, pattern, read) => text.replace(pattern, read),
};

/** How a word is used in tools and requests at large, learned from public tool lists and requests. */
export interface WordBackground {
  /** 0 for a word of every tool, 1 for one hardly any tool has. */
  readonly rarity: number;
  /** 0 for a word of every request, 1 for one that hardly any has. */
  readonly subject: number;
}

export interface Background {
  read(stem: string): WordBackground;
}

const FLOOR = 1e-4;
const UNKNOWN: WordBackground = { rarity: 1, subject: 1 };
const STEPS = 78;
const FIRST_LETTER = '0'.charCodeAt(0);
/** How many letters follow a word: its rarity and its subject. */
const LETTERS = 2;

/** From the shares of tools and of requests that have a word. */
export function wordBackground(toolShare: number, requestShare: number): WordBackground {
  return { rarity: quantise(toolShare), subject: quantise(requestShare) };
}

export function backgroundOf(words: ReadonlyMap<string, WordBackground>): Background {
  return { read: (stem) => words.get(stem) ?? UNKNOWN };
}

/** The words in order, each with a letter for its rarity and one for its subject: as text it costs least to load. */
export function encodeWords(background: ReadonlyMap<string, WordBackground>): string {
  const words = [...background.keys()].sort((a, b) => (a < b ? -1 : 1));
  const entryOf = (word: string) => {
    const { rarity, subject } = background.get(word) ?? UNKNOWN;
    return word + letterOf(rarity) + letterOf(subject);
  };
  return ` ${words.map(entryOf).join(' ')} `;
}

/** Looks words up in the text itself: a first search must not wait for thousands of words to be taken apart. */
export function decodeWords(entries: string): Background {
  return {
    read: (stem) => {
      let low = 0;
      let high = entries.length - 1;
      while (low < high) {
        // Spaces stand at `low` and `high`; so does one on either side of the entry in the middle.
        const start = entries.lastIndexOf(' ', (low + high) >>> 1);
        const end = entries.indexOf(' ', start + 1);
        const word = entries.slice(start + 1, end - LETTERS);
        if (word === stem) {
          return { rarity: valueAt(entries, end - LETTERS), subject: valueAt(entries, end - 1) };
        }
        if (word < stem) low = end;
        else high = start;
      }
      return UNKNOWN;
    },
  };
}

function quantise(share: number): number {
  const value = Math.log(share + FLOOR) / Math.log(FLOOR);
  return Math.min(Math.max(Math.round(value * STEPS), 0), STEPS) / STEPS;
}

function letterOf(value: number): string {
  const code = FIRST_LETTER + Math.round(value * STEPS);
  // A backslash would have to be escaped in JSON; its neighbour says nearly the same.
  return String.fromCharCode(code === 92 ? 93 : code);
}

function valueAt(letters: string, at: number): number {
  return (letters.charCodeAt(at) - FIRST_LETTER) / STEPS;
}

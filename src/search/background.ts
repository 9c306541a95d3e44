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

/** Words and, letter by letter in the same order, their two values: as text it costs least to ship and load. */
export interface EncodedWords {
  readonly words: string;
  readonly rarity: string;
  readonly subject: string;
}

const FLOOR = 1e-4;
const UNKNOWN: WordBackground = { rarity: 1, subject: 1 };
const STEPS = 78;
const FIRST_LETTER = '0'.charCodeAt(0);

/** From the shares of tools and of requests that have a word. */
export function wordBackground(toolShare: number, requestShare: number): WordBackground {
  return { rarity: quantise(toolShare), subject: quantise(requestShare) };
}

export function backgroundOf(words: ReadonlyMap<string, WordBackground>): Background {
  return { read: (stem) => words.get(stem) ?? UNKNOWN };
}

export function encodeWords(background: ReadonlyMap<string, WordBackground>): EncodedWords {
  const words = [...background.keys()].sort((a, b) => (a < b ? -1 : 1));
  const letters = (key: keyof WordBackground) =>
    words.map((word) => letterOf(background.get(word)?.[key] ?? 1)).join('');
  return { words: words.join(' '), rarity: letters('rarity'), subject: letters('subject') };
}

/** Looks words up as they are asked for: a first search must not wait for thousands to be decoded. */
export function decodeWords({ words, rarity, subject }: EncodedWords): Background {
  const sorted = words.split(' ');
  return {
    read: (stem) => {
      let low = 0;
      let high = sorted.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((sorted[middle] ?? '') < stem) low = middle + 1;
        else high = middle;
      }
      if (sorted[low] !== stem) return UNKNOWN;
      return { rarity: valueAt(rarity, low), subject: valueAt(subject, low) };
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

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * What fuzzers share: how long they go on, from which seed, and what one message may cost. `FUZZ_SECONDS=3600`
 * makes an hour of each, `FUZZ_SEED=7` other inputs; a failure names the seed and the round that showed it.
 */
export const FUZZ_SECONDS = Number(process.env.FUZZ_SECONDS ?? 15);
export const FUZZ_SEED = Number(process.env.FUZZ_SEED ?? 20_261_201);
/** For the time limit of a test that fuzzes: the rounds, and what comes before and after them. */
export const FUZZ_TEST_MS = FUZZ_SECONDS * 1000 * 2 + 60_000;

/** Processor time that handling a message of less than `MAX_MESSAGE_BYTES` may take on a machine with time for it. */
export const MAX_PROCESSOR_MS = 100;
export const MAX_MESSAGE_BYTES = 1_000_000;
const TRIES = 4;
/** What `reference` takes on such a machine; where it takes longer, so does everything else. */
const REFERENCE_MS = 14;
const REFERENCE = JSON.stringify(Array.from({ length: 40_000 }, (_, n) => ({ name: `tool${n}`, n })));

/**
 * Processor time of a step in milliseconds, the least of several tries where one is over budget: compiling and
 * collecting what earlier steps left count into a first try, and so does what other threads of the process do.
 */
export function processorMs(step: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > MAX_PROCESSOR_MS; tries++) {
    const before = process.cpuUsage();
    step();
    least = Math.min(least, adjusted(millisecondsSince(before)));
  }
  return least;
}

/** As `processorMs`, for a step that takes several turns. */
export async function processorMsOfTurns(step: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > MAX_PROCESSOR_MS; tries++) {
    const before = process.cpuUsage();
    await step();
    least = Math.min(least, adjusted(millisecondsSince(before)));
  }
  return least;
}

/** As the time would be without others on the machine, which slow each other down even in processor time. */
function adjusted(milliseconds: number): number {
  if (milliseconds <= MAX_PROCESSOR_MS) return milliseconds;
  const before = process.cpuUsage();
  JSON.stringify(JSON.parse(REFERENCE));
  return milliseconds * Math.min(1, REFERENCE_MS / millisecondsSince(before));
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Numbers that look random and are the same for the same seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, not including, 1. */
  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.share() * limit);
  }

  /** True in `share` of the cases. */
  isHit(share: number): boolean {
    return this.share() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }

  /** A size up to `limit` whose magnitude, not value, is even: small ones are as likely as large ones. */
  size(limit: number): number {
    return Math.floor(limit ** this.share());
  }
}

/** Calls `round` with its number and its own chance until the time is up; a failure says how to see it again. */
export async function fuzz(round: (chance: Chance, number: number) => void | Promise<void>): Promise<number> {
  const end = performance.now() + FUZZ_SECONDS * 1000;
  let number = 0;
  for (; performance.now() < end; number++) {
    try {
      await round(new Chance(FUZZ_SEED + number), number);
    } catch (error) {
      throw new Error(`round ${number} failed; FUZZ_SEED=${FUZZ_SEED + number} makes it the first`, {
        cause: error,
      });
    }
  }
  return number;
}

/** The most processor time in milliseconds that a step keeps to itself before others get their turn. */
export async function longestTurnMs(step: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > MAX_PROCESSOR_MS; tries++) {
    let longest = 0;
    let before = process.cpuUsage();
    const look = (): void => {
      longest = Math.max(longest, adjusted(millisecondsSince(before)));
      before = process.cpuUsage();
    };
    const ticker = setInterval(look, 0);
    await step();
    clearInterval(ticker);
    look();
    least = Math.min(least, longest);
  }
  return least;
}

/** What the heap holds once all that nobody needs has been collected. */
export function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

/** The pause after so many failures in a row: growing, capped, and jittered by a fifth. */
export function growingPause(failures: number, random = Math.random()): number {
  return Math.round(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.8 + 0.4 * random));
}

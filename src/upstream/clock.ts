/** Time and chance, so that tests can decide both. */
export interface Clock {
  now(): number;
  /** Calls back once after a while; the returned function takes that back. */
  after(ms: number, callback: () => void): () => void;
  random(): number;
}

/** Real time; its timers keep no process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

import type { Clock } from './supervisor.ts';

/** Real time; its timers keep no process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** Signals that ask a process to leave, with the exit code that tells of each: 128 plus its number. */
const EXIT_CODES = new Map<NodeJS.Signals, number>([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
]);

/**
 * Calls back with the exit code for the first signal that asks us to leave; a second one ends the process at once.
 * The returned function ends the listening.
 */
export function onEndingSignal(callback: (exitCode: number) => void): () => void {
  const listeners = [...EXIT_CODES].map(([signal, exitCode]) => {
    let count = 0;
    const listener = () => {
      if (++count > 1) process.exit(exitCode);
      callback(exitCode);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return () => {
    for (const end of listeners) end();
  };
}

import { SIGNAL_CODES } from './exit-codes.ts';

/**
 * Calls back with the exit code for the first signal that asks us to leave; a second one ends the process at once.
 * The returned function ends the listening.
 */
export function onEndingSignal(callback: (exitCode: number) => void): () => void {
  const listeners = [...SIGNAL_CODES].map(([signal, exitCode]) => {
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

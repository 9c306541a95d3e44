import { cut } from './cut.ts';
import { harmless, MAX_LOG_LENGTH } from './foreign-text.ts';
import { complain } from './terminal.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/**
 * Writes one line a message to stderr, harmless to terminals and of bounded length: stdout belongs to the protocol.
 * Lines below `level` are dropped.
 *
 * @param level lowest level that is written; default `info`
 * @param write where lines go, without their end; default the process's stderr
 */
export function createLogger(level: LogLevel = 'info', write: (line: string) => void = complain): Logger {
  const threshold = LOG_LEVELS.indexOf(level);
  const at = (of: LogLevel) => (message: string) => {
    if (LOG_LEVELS.indexOf(of) < threshold) return;
    write(`toolsift: ${of === 'info' ? '' : `${of}: `}${presentable(message)}`);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** What follows a line break is indented, so that no message looks like two. */
function presentable(message: string): string {
  return cut(harmless(message).trimEnd(), MAX_LOG_LENGTH).replace(/\n(?!\s)/g, '\n    ');
}

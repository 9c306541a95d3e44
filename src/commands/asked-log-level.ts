import { createLogger, LOG_LEVELS, type LogLevel } from '../log.ts';

/** What `TOOLSIFT_LOG` asks for; default `info`. */
export function askedLogLevel(): LogLevel {
  const asked = process.env.TOOLSIFT_LOG;
  const level = LOG_LEVELS.find((known) => known === asked);
  if (level !== undefined || asked === undefined || asked === '') return level ?? 'info';
  createLogger().warn(`TOOLSIFT_LOG is "${asked}"; it can be ${LOG_LEVELS.join(', ')}`);
  return 'info';
}

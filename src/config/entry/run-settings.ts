import type { RunSettings } from '../config.ts';

/** What an entry, or the file for all entries, may say of how servers are run. */
export interface WrittenRunSettings {
  readonly start?: 'on-demand' | 'eager' | undefined;
  readonly idleStopSeconds?: number | undefined;
  readonly refreshAfterHours?: number | undefined;
  readonly share?: boolean | undefined;
  readonly log?: boolean | undefined;
}

const HOUR_MS = 3_600_000;

export const DEFAULT_RUN_SETTINGS: RunSettings = {
  start: 'on-demand',
  refreshAfterMs: 24 * HOUR_MS,
  isShared: false,
  keepsLog: false,
};

/** The settings as written, with the defaults for what is not said. */
export function readRunSettings(written: WrittenRunSettings, defaults: RunSettings): RunSettings {
  const { start, idleStopSeconds, refreshAfterHours, share, log } = written;
  return {
    ...defaults,
    ...(start !== undefined && { start }),
    ...(idleStopSeconds !== undefined && { idleStopMs: Math.round(idleStopSeconds * 1000) }),
    ...(refreshAfterHours !== undefined && { refreshAfterMs: Math.round(refreshAfterHours * HOUR_MS) }),
    ...(share !== undefined && { isShared: share }),
    ...(log !== undefined && { keepsLog: log }),
  };
}

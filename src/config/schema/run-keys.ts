import type { SettingKey } from './key.ts';

/** How a server is run. */
export interface RunSettings {
  /** Whether it starts with each session, or with the first call once its tools are known. */
  readonly start: 'on-demand' | 'eager';
  /** Stopped when nothing has been asked of it for so long; absent means never. */
  readonly idleStopMs?: number;
  /** Age after which its lists are read anew in the background. */
  readonly refreshAfterMs: number;
  /** What all its lists together may have, in bytes. */
  readonly maxListBytes: number;
  /** Tools, resources and prompts it may list together. */
  readonly maxListItems: number;
  /** Whether one process of it serves all toolsift processes of this user. */
  readonly isShared: boolean;
  /** Whether every session has a process of its own, although others declare the same. */
  readonly isPerSession: boolean;
  /** Whether what it writes to stderr is kept in a file. */
  readonly keepsLog: boolean;
}

const HOUR_MS = 3_600_000;
const MEBIBYTE = 1024 * 1024;

export const DEFAULT_RUN_SETTINGS: RunSettings = {
  start: 'on-demand',
  refreshAfterMs: 24 * HOUR_MS,
  maxListBytes: 64 * MEBIBYTE,
  maxListItems: 100_000,
  isShared: false,
  isPerSession: false,
  keepsLog: false,
};

/**
 * The keys that say how servers are run: in an entry for that server, at the top of the file for all that do not
 * say. What stands here is checked, read, published for editors and handed to the upstream as `RunSettings`.
 */
export const runKeys = {
  start: runKey({
    rule: (is) => is.oneOf(['on-demand', 'eager'], 'must be "on-demand" or "eager"'),
    description:
      'When a server whose tools are known starts: with its first call, or with every session. Default: "on-demand".',
    set: (start) => ({ start }),
  }),
  idleStopSeconds: runKey({
    rule: (is) => is.seconds,
    description:
      'Stops a server when nothing has been asked of it for so many seconds. Default: it stays up.',
    set: (seconds) => ({ idleStopMs: Math.round(seconds * 1000) }),
  }),
  refreshAfterHours: runKey({
    rule: (is) => is.hours,
    description: 'Age at which the tools of a server are read anew in the background, in hours. Default: 24.',
    set: (hours) => ({ refreshAfterMs: Math.round(hours * HOUR_MS) }),
  }),
  maxListBytes: runKey({
    rule: (is) => is.wholeNumber(1024, 1024 * MEBIBYTE),
    description: `What the tools, resources and prompts of a server may have together, in bytes; one that lists more has failed. Default: ${64 * MEBIBYTE} (64 MiB).`,
    set: (maxListBytes) => ({ maxListBytes }),
  }),
  maxListItems: runKey({
    rule: (is) => is.wholeNumber(1, 10_000_000),
    description:
      'How many tools, resources and prompts a server may list together; one that lists more has failed. Default: 100000.',
    set: (maxListItems) => ({ maxListItems }),
  }),
  share: runKey({
    rule: (is) => is.flag,
    description:
      'Lets all toolsift processes of this user use one process of the server. For servers without state of a session. Default: false.',
    set: (isShared) => ({ isShared }),
  }),
  perSession: runKey({
    rule: (is) => is.flag,
    description:
      'Gives every session a process of its own of the server. For servers that remember what one client did. Default: false, sessions that declare the same use one process.',
    set: (isPerSession) => ({ isPerSession }),
  }),
  log: runKey({
    rule: (is) => is.flag,
    description: 'Keeps what the server writes to stderr, for `toolsift logs`. Default: false.',
    set: (keepsLog) => ({ keepsLog }),
  }),
};

function runKey<T>(key: SettingKey<T, RunSettings>): SettingKey<T, RunSettings> {
  return key;
}

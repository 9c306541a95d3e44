import type { LiveGroups } from './stdio/live-groups.ts';

/** What links need besides the entry of their server. */
export interface LinkOptions {
  /** Longest message accepted, in bytes. */
  readonly maxMessageBytes: number;
  readonly groups: LiveGroups;
  /** Where the logs of servers go that have them kept. */
  readonly logFolder: string | undefined;
  /** Where toolsift processes that share a server meet, and by which key; not at all where absent. */
  readonly share?: { readonly key: string; readonly folder: string } | undefined;
}

import type { Link } from '../jsonrpc/link.ts';
import type { DescriptorGate } from './stdio/descriptor-gate.ts';
import type { LiveGroups } from './stdio/live-groups.ts';

/** A link to a server. */
export interface ServerLink extends Link {
  /** Whether closing it would end a server that other processes use too. */
  readonly isUsedByOthers?: boolean;
}

/** What links need besides the entry of their server. */
export interface LinkOptions {
  /** Longest message accepted, in bytes; looked at when one comes. */
  readonly maxMessageBytes: number;
  readonly groups: LiveGroups;
  readonly descriptors: DescriptorGate;
  /** Where the logs of servers go that have them kept. */
  readonly logFolder: string | undefined;
  /** Where logins to remote servers are kept; nowhere where absent. */
  readonly loginFolder?: string | undefined;
  /** Where toolsift processes that share a server meet, and by which key; not at all where absent. */
  readonly share?: { readonly key: string; readonly folder: string } | undefined;
}

import type { SessionRecord } from '../downstream/session-record.ts';
import type { Link } from '../jsonrpc/link.ts';
import type { Caller } from '../policy/access.ts';

export interface OpenOptions {
  readonly link: Link;
  /** Name of the one server to put through as it is, in place of all behind the meta-tools. */
  readonly only?: string | undefined;
  /** Who the client is, where several may come; `access` says what it may use. */
  readonly caller?: Caller | undefined;
  /** What was written down of a session that goes on here. */
  readonly record?: SessionRecord | undefined;
  /** The conversation is over, for this reason. */
  readonly onclose: (reason: Error) => void;
}

/** A conversation with a client. */
export interface OpenSession {
  /** What has to be known of the session so that it can go on elsewhere; undefined for one that is put through. */
  readonly record: SessionRecord | undefined;
  start(): Promise<void>;
}

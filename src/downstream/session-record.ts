import { Owners } from './lists/owners.ts';
import type { ResourceOwner } from './lists/resource-directory.ts';

/** Tasks remembered; a client that polls longer than this many younger ones is told that the task is unknown. */
const MAX_TASKS = 10_000;
/** Links remembered; older ones are forgotten first. */
const MAX_LINKS = 10_000;

/** All that has to be known of a session to go on with it elsewhere: plain values, to be written down as JSON. */
export interface SessionRecord {
  /** The `params` of the client's `initialize` as upstreams get them, JSON text; missing where it sent none. */
  readonly initializeParams?: string | undefined;
  /** Names of the capabilities the client declared. */
  readonly declared: readonly string[];
  readonly isInitialized: boolean;
  /** The `params` of its `logging/setLevel`, JSON text, where it asked for a level. */
  readonly logLevel?: string | undefined;
  /** What it is subscribed to, by the URI it knows. */
  readonly subscriptions: Pairs<ResourceOwner>;
  /** The server of each task. */
  readonly tasks: Pairs<string>;
  /** The server of each resource that was linked to. */
  readonly links: Pairs<string>;
  /** The server of each tool name that the client has seen. */
  readonly names: Pairs<string>;
}

type Pairs<Value> = readonly (readonly [key: string, value: Value])[];

/** What a session remembers, in one place. */
export class SessionState {
  initializeParams: string | undefined;
  declared: ReadonlySet<string>;
  isInitialized: boolean;
  logLevel: string | undefined;
  readonly subscriptions: Map<string, ResourceOwner>;
  readonly tasks: Owners;
  readonly links: Owners;
  readonly names: Map<string, string>;

  constructor(record: Partial<SessionRecord> = {}) {
    this.initializeParams = record.initializeParams;
    this.declared = new Set(record.declared);
    this.isInitialized = record.isInitialized ?? false;
    this.logLevel = record.logLevel;
    this.subscriptions = new Map(record.subscriptions);
    this.tasks = new Owners(MAX_TASKS, record.tasks);
    this.links = new Owners(MAX_LINKS, record.links);
    this.names = new Map(record.names);
  }

  toJSON(): SessionRecord {
    const { initializeParams, declared, isInitialized, logLevel, subscriptions, tasks, links, names } = this;
    return {
      initializeParams,
      declared: [...declared],
      isInitialized,
      logLevel,
      subscriptions: [...subscriptions],
      tasks: [...tasks.entries],
      links: [...links.entries],
      names: [...names],
    };
  }
}

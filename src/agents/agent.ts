import { isObject, type JsonObject } from '../config/text/json-value.ts';
import type { VariableForm } from './variables.ts';

/** A program that keeps MCP servers in files of its own. */
export interface Agent {
  /** As it is named on the command line. */
  readonly id: string;
  readonly title: string;
  readonly files: readonly AgentFile[];
  /** The references to variables that it fills in. */
  readonly variables: readonly VariableForm[];
  /** Unit of `timeout` in its entries, where that is the limit of a call. */
  readonly timeoutUnit?: 'seconds' | 'milliseconds';
  /** The names and entries of the servers in one of its files; undefined where the file has no place for them. */
  readonly serversIn: (document: JsonObject) => unknown;
  /** An entry as the agent means it, in spellings that toolsift knows; or why the agent has no server there. */
  readonly prepare?: (entry: JsonObject, place: EntryPlace) => JsonObject | Skipped;
  /** Why the agent takes nothing of a file for the sake of what is in it, as the end of a sentence. */
  readonly refuses?: (servers: unknown) => string | undefined;
  /** What of a file's text the agent refuses, although it can be read. */
  readonly strictness?: Strictness;
}

export interface EntryPlace {
  readonly name: string;
  readonly document: JsonObject;
}

/** Why an entry is no server of its agent. */
export interface Skipped {
  readonly skipped: string;
}

export interface Strictness {
  readonly comments?: boolean;
  readonly trailingCommas?: boolean;
}

export interface AgentFile {
  readonly scope: 'user' | 'project';
  readonly format: 'json' | 'yaml';
  /**
   * Where it is: below the home folder (`~/`), the folder for settings of applications (`@/`: `~/.config`,
   * `~/Library/Application Support`, `%APPDATA%`), or the folder of a project. One path for all platforms, or one each.
   */
  readonly path: string | Readonly<Record<'linux' | 'darwin' | 'win32', string>>;
}

export function isSkipped(entry: JsonObject | Skipped): entry is Skipped {
  return typeof entry.skipped === 'string';
}

/** The name of the first entry of which something holds. */
export function entryWith(servers: unknown, holds: (entry: JsonObject) => boolean): string | undefined {
  if (!isObject(servers)) return undefined;
  return Object.entries(servers).find(([, entry]) => isObject(entry) && holds(entry))?.[0];
}

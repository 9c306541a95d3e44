import { adoptEntry } from '../config/entry/adopt-entry.ts';
import { isCommentKey } from '../config/schema/foreign-keys.ts';
import { MisspeltKeys } from '../config/schema/unknown-key.ts';
import { isObject, type JsonObject } from '../config/text/json-value.ts';
import { type Agent, type AgentFile, type EntryPlace, isSkipped } from './agent.ts';
import { type Document, readDocument } from './document.ts';
import { inOurForm } from './variables.ts';

/** What is in a file of an agent. */
export interface AgentServers {
  /** Entries as they stand in toolsift.json to mean the same. */
  readonly servers: ReadonlyMap<string, FoundServer>;
  /** Names of what is no server there, each with the reason. */
  readonly skipped: ReadonlyMap<string, string>;
  /** Why the agent itself does not read the file. */
  readonly refusal?: string;
}

export interface FoundServer {
  readonly entry: JsonObject;
  /** What the entry asks for and toolsift does not do. */
  readonly notCarried: readonly string[];
}

/**
 * The servers in a file of an agent, as the agent means them.
 *
 * @throws ToolsiftError `config_invalid` where the file cannot be read at all
 */
export async function readAgentFile(
  agent: Agent,
  file: string,
  format: AgentFile['format'] = 'json',
): Promise<AgentServers> {
  const document = await readDocument(file, format);
  const refusal = refusalOf(agent, document);
  const found = {
    servers: new Map<string, FoundServer>(),
    skipped: new Map<string, string>(),
    ...(refusal === undefined ? {} : { refusal }),
  };
  if (!isObject(document.value)) return found;
  for (const [name, raw] of entriesOf(agent.serversIn(document.value))) {
    const entry = entryOf(agent, raw, { name, document: document.value });
    if (typeof entry === 'string') found.skipped.set(name, entry);
    else found.servers.set(name, entry);
  }
  return found;
}

function entriesOf(servers: unknown): [name: string, entry: unknown][] {
  if (!isObject(servers)) return [];
  return Object.entries(servers).filter(([name, entry]) => !isCommentKey(name) || isObject(entry));
}

function entryOf(agent: Agent, raw: unknown, place: EntryPlace): FoundServer | string {
  if (!isObject(raw)) return 'no object';
  const prepared = agent.prepare?.(raw, place) ?? raw;
  if (isSkipped(prepared)) return prepared.skipped;
  const { timeout, ...rest } = prepared;
  const limit = agent.timeoutUnit !== undefined && typeof timeout === 'number' ? timeout : undefined;
  const { entry, warnings, faults } = adoptEntry(limit === undefined ? prepared : rest, new MisspeltKeys());
  if (entry.command === undefined && entry.url === undefined && entry.disabled !== true)
    return 'neither a command nor an address';
  const timeoutSeconds =
    limit === undefined ? undefined : agent.timeoutUnit === 'seconds' ? limit : limit / 1000;
  return {
    entry: {
      ...translated(entry, agent),
      ...(timeoutSeconds !== undefined && timeoutSeconds > 0 ? { timeoutSeconds } : {}),
    },
    notCarried: [...warnings, ...faults.map(({ text }) => text)],
  };
}

/** The entry with its references to variables in our form. */
function translated(entry: JsonObject, { variables }: Agent): JsonObject {
  const inForm = (value: unknown): unknown => {
    if (typeof value === 'string') return inOurForm(value, variables);
    if (Array.isArray(value)) return value.map(inForm);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inForm(each)]));
  };
  const texts = ['command', 'args', 'env', 'cwd', 'url', 'headers'];
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, texts.includes(key) ? inForm(value) : value]),
  );
}

/** Why the agent itself does not read what we can. */
function refusalOf(agent: Agent, { text, value }: Document): string | undefined {
  const { comments, trailingCommas } = agent.strictness ?? {};
  const where = (offset: number) => `line ${text.slice(0, offset).split('\n').length}`;
  const comment = comments ? text.search(/^\s*(?:\/\/|\/\*)/m) : -1;
  if (comment >= 0) return `${where(text.indexOf('/', comment))}: ${agent.title} takes no comments`;
  const comma = trailingCommas ? text.search(/,(?=\s*[}\]])/) : -1;
  if (comma >= 0) return `${where(comma + 1)}: ${agent.title} takes no comma before a closing bracket`;
  const reason = isObject(value) ? agent.refuses?.(agent.serversIn(value)) : undefined;
  return reason === undefined ? undefined : `${agent.title} takes nothing of it: ${reason}`;
}

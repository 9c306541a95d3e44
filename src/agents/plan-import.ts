import type { JsonObject } from '../config/text/json-value.ts';
import { literalSecrets } from './literal-secrets.ts';
import type { AgentServers } from './read-agent-file.ts';

/** A file that was read. */
export interface Source extends AgentServers {
  /** The agent's name for people. */
  readonly agent: string;
  readonly file: string;
}

export interface ImportPlan {
  /** What toolsift.json gets. */
  readonly taken: readonly PlannedServer[];
  /** What it does not, each with the reason. */
  readonly left: readonly LeftServer[];
}

export interface PlannedServer {
  readonly name: string;
  readonly entry: JsonObject;
  readonly agent: string;
  readonly file: string;
  /** What the entry asks for and toolsift does not do. */
  readonly notCarried: readonly string[];
}

export interface LeftServer {
  readonly name: string;
  readonly agent: string;
  readonly file: string;
  readonly reason: string;
}

/**
 * Decides what is taken over from the files of agents. Entries that are there stay as they are, and of two servers of
 * one name the first counts.
 *
 * @param present the entries toolsift.json has, by name
 * @param copiesSecrets whether values that look like secrets may be copied
 */
export function planImport(
  sources: readonly Source[],
  present: ReadonlyMap<string, unknown>,
  copiesSecrets: boolean,
): ImportPlan {
  const taken: PlannedServer[] = [];
  const left: LeftServer[] = [];
  for (const { agent, file, servers, skipped } of sources) {
    for (const [name, reason] of skipped) left.push({ name, agent, file, reason });
    for (const [name, { entry, notCarried }] of servers) {
      const reason = reasonToLeave({ name, entry, present, taken, copiesSecrets });
      if (reason === undefined) taken.push({ name, entry, agent, file, notCarried });
      else left.push({ name, agent, file, reason });
    }
  }
  return { taken, left };
}

function reasonToLeave(of: {
  name: string;
  entry: JsonObject;
  present: ReadonlyMap<string, unknown>;
  taken: readonly PlannedServer[];
  copiesSecrets: boolean;
}): string | undefined {
  const { name, entry, present, taken, copiesSecrets } = of;
  if (isToolsift(entry)) return 'it is toolsift itself';
  const earlier = taken.find((other) => other.name === name);
  if (present.has(name)) {
    return isSame(present.get(name), entry)
      ? 'it is there already'
      : 'an entry of this name is there, and says something else';
  }
  if (earlier !== undefined) {
    return isSame(earlier.entry, entry)
      ? `it is the same as that of ${earlier.agent}`
      : `${earlier.agent} has another of this name; add it under a name of its own`;
  }
  const double =
    taken.find((other) => isSame(other.entry, entry))?.name ??
    [...present].find(([, other]) => isSame(other, entry))?.[0];
  if (double !== undefined) return `it is the same as "${double}"`;
  const secrets = literalSecrets(entry);
  if (secrets.length > 0 && !copiesSecrets) {
    return `a secret stands in its file as text (${secrets.join(', ')}); use a variable there, or --copy-secrets`;
  }
  return undefined;
}

/** Whether an entry starts toolsift, which must not stand behind itself. */
function isToolsift({ command, args }: JsonObject): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string');
  return words.some((word) =>
    /(?:^|[\\/@])toolsift(?:@[\w.-]+|\.\w+)?$|toolsift[\\/]dist[\\/]cli\.js$/.test(word),
  );
}

/** Whether two entries say the same, in whatever order. */
function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

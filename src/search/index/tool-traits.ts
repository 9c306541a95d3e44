import { actionsOf, DOUBTFUL_VERBS } from '../words/actions.ts';
import { kindsOfArgument } from '../words/details.ts';
import { isPlural } from '../words/plural.ts';
import { stemAnew } from '../words/stem.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { splitWords } from '../words/words.ts';
import type { ToolText } from './tool-text.ts';

/** The part a word plays in a tool's name. */
export const ROLE = { object: 0, verb: 1, server: 2, filler: 3 } as const;
export const ROLE_MASK = 3;
/** Beside the role: the word is a plural. */
export const PLURAL = 4;

/** Flags beside the kinds of detail. */
export const READ_ONLY = 2 ** 14;
export const DESTRUCTIVE = 2 ** 15;

/** What a tool does and takes, read from its words. */
export interface ToolTraits {
  /** Sets of actions: of the name's verb, and of the verb that the description begins with. */
  readonly nameActions: number;
  readonly textActions: number;
  /** Kinds of detail that its arguments take, and the flags. */
  readonly details: number;
  /** By word of the name. */
  readonly roles: readonly number[];
}

const MAX_OPENING_WORDS = 6;
const NAME_FILLER: ReadonlySet<string> = new Set(['api', 'mcp', 'tool', 'v1', 'v', 'by', 'the']);

export function readTraits(server: string, text: ToolText): ToolTraits {
  const words = splitWords(text.name);
  const serverWords = new Set(splitWords(server));
  const isServer = words.map((word) => serverWords.has(word));
  const verb = findVerb(words, isServer);
  const roles = words.map((word, i) => {
    if (i === verb) return ROLE.verb;
    if (isServer[i] === true) return ROLE.server;
    if (STOP_WORDS.has(word) || NAME_FILLER.has(word)) return ROLE.filler;
    return isPlural(word) ? ROLE.object + PLURAL : ROLE.object;
  });
  return {
    nameActions: verb === -1 ? 0 : actionsOf(stemAnew(words[verb] ?? '')),
    textActions: openingActions(text.description),
    details: detailsOf(text),
    roles,
  };
}

/** The first word that is a verb where a verb stands, else the last; -1 for none. */
function findVerb(words: readonly string[], isServer: readonly boolean[]): number {
  const first = words.findIndex((word, i) => isServer[i] !== true && !NAME_FILLER.has(word));
  for (let i = Math.max(first, 0); i < words.length; i++) {
    const stemmed = stemAnew(words[i] ?? '');
    if (actionsOf(stemmed) === 0 || isServer[i] === true) continue;
    const isFirst = i === first && i + 1 < words.length;
    const isLast = i === words.length - 1;
    if (isFirst || isLast || !DOUBTFUL_VERBS.has(stemmed)) return i;
  }
  return -1;
}

function openingActions(description: string): number {
  for (const word of splitWords(description.slice(0, 80)).slice(0, MAX_OPENING_WORDS)) {
    const actions = actionsOf(stemAnew(word));
    if (actions !== 0) return actions;
  }
  return 0;
}

function detailsOf({ argumentNames, isReadOnly, isDestructive }: ToolText): number {
  let details = 0;
  for (const name of argumentNames) details |= kindsOfArgument(splitWords(name));
  return details | (isReadOnly ? READ_ONLY : 0) | (isDestructive ? DESTRUCTIVE : 0);
}

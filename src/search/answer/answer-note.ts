import { cut } from '../../cut.ts';
import type { AnswerInput, Unavailable } from './answer-input.ts';

/** Where meanings are not compared, less of the query's words than this is a weak match. */
const WEAK_COVERAGE = 0.34;
/** Where they are, both have to be less than these. */
const WEAK = { coverage: 0.6, likeness: 0.35 };
/** Less than these, and no tool seems to do what is asked. */
const NOTHING = { coverage: 0.34, likeness: 0.2 };
const MAX_LISTED = 8;
const MAX_SERVERS = 20;
const MAX_UNAVAILABLE = 10;
const MAX_REASON_CHARACTERS = 300;
const MAX_NAME_CHARACTERS = 64;
const MAX_WORD_CHARACTERS = 40;
const MAX_TOOL_CHARACTERS = 200;

export function joinAnswer(input: AnswerInput, hits: readonly string[], note: string): string {
  const unavailable = (input.unavailable ?? []).slice(0, MAX_UNAVAILABLE).map(shortened);
  const tail = {
    matched: input.matched,
    known: input.known,
    unavailable,
    ...(note === '' ? {} : { note }),
  };
  return `{"tools":[${hits.join(',')}],${JSON.stringify(tail).slice(1)}`;
}

function shortened({ server, state, reason, fix }: Unavailable): Unavailable {
  return {
    server: cut(server, MAX_NAME_CHARACTERS),
    state,
    reason: cut(reason, MAX_REASON_CHARACTERS),
    ...(fix === undefined ? {} : { fix: cut(fix, MAX_REASON_CHARACTERS) }),
  };
}

/** What the model should know beyond the hits, in words it can act on; empty when there is nothing to add. */
export function noteOf(input: AnswerInput, hidden: number, hasOmitted: boolean): string {
  const sentences: string[] = [];
  if (input.hits.length === 0) sentences.push(...nothingFound(input));
  else if (isBelow(input, NOTHING)) sentences.push(noneDoes(input));
  else if (isBelow(input, WEAK)) sentences.push(weakMatch(input));
  else if ((input.rivals ?? []).length > 0) sentences.push(nearlyEqual(input));
  if (hasOmitted) {
    sentences.push('Omitted schemas did not fit: search_tools with query "server/name" and k 1 shows one.');
  }
  if (hidden > 0) sentences.push(`${hidden} more did not fit; narrow the query or name a server.`);
  const more = (input.unavailable?.length ?? 0) - MAX_UNAVAILABLE;
  if (more > 0) sentences.push(`${more} more servers are unavailable: see list_servers.`);
  return sentences.join(' ');
}

function isBelow({ coverage = 1, likeness }: AnswerInput, limit: typeof WEAK): boolean {
  return likeness === undefined
    ? limit === WEAK && coverage < WEAK_COVERAGE
    : coverage < limit.coverage && likeness < limit.likeness;
}

function noneDoes(input: AnswerInput): string {
  return `Weak match: none of the known tools seems to do this. Try once more in a tool's words (a verb and its object: "send message"); if that finds nothing either, it cannot be done here. Servers: ${listServers(input.servers ?? [])}.`;
}

function nearlyEqual({ hits, rivals = [] }: AnswerInput): string {
  const names = [...hits.slice(0, 1), ...rivals].map(({ server, name }) =>
    cut(`${server}/${name}`, MAX_TOOL_CHARACTERS),
  );
  return `Nearly equal on several servers: ${names.join(', ')}. Choose by server.`;
}

function nothingFound({ query, known, nearest = [], servers = [] }: AnswerInput): string[] {
  if (query.trim() === '')
    return ['Say in the query what the tool should do, or name a server to list its tools.'];
  if (known === 0) return ['No tools are known yet: see list_servers for the state of each server.'];
  const sentences = [
    `No tool has any of these words. Try what the tool does ("send message"), in English or the tools' language.`,
  ];
  if (nearest.length > 0) {
    const names = nearest
      .slice(0, MAX_LISTED)
      .map(({ server, name }) => cut(`${server}/${name}`, MAX_TOOL_CHARACTERS));
    sentences.push(`Nearest names: ${names.join(', ')}.`);
  }
  if (servers.length > 0) sentences.push(`Servers: ${listServers(servers)}.`);
  return sentences;
}

function weakMatch({ unknownWords = [], servers = [] }: AnswerInput): string {
  const words = unknownWords.slice(0, MAX_LISTED).map((word) => cut(word, MAX_WORD_CHARACTERS));
  const missing = words.length === 0 ? '' : ` no tool mentions ${words.join(', ')};`;
  return `Weak match:${missing} these are the nearest. Servers: ${listServers(servers)}.`;
}

function listServers(servers: readonly string[]): string {
  const more = servers.length > MAX_SERVERS ? `, …+${servers.length - MAX_SERVERS}` : '';
  const shown = servers.slice(0, MAX_SERVERS).map((server) => cut(server, MAX_NAME_CHARACTERS));
  return shown.join(', ') + more;
}

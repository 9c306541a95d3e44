import { actionsOf, DOUBTFUL_VERBS, isUsual, longVerbs, READING, usualVerbs } from '../words/actions.ts';
import { type EverydayVerb, phrasesFrom } from '../words/everyday-verbs.ts';
import { stem } from '../words/stem.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { splitWords } from '../words/words.ts';
import { countSlips } from './slips.ts';

/** What one clause of a request asks to be done. */
export interface RequestAction {
  /** A set of actions; empty where nothing says what is to be done. */
  readonly actions: number;
  /** How sure that is, 0 to 1. */
  readonly certainty: number;
  /** By the stem of a word that says it: the stems of what tools say instead. */
  readonly standIns: ReadonlyMap<string, readonly string[]>;
}

const NO_ACTION: RequestAction = { actions: 0, certainty: 0, standIns: new Map() };
const MAX_CHARACTERS = 400;
/** "Linear: close the issue". */
const NAME_BEFORE = /^[\w .-]{2,30}:\s+(?=\S)/;
const MAX_NAME_CHARACTERS = 40;
const MAX_GAP = 4;
const MAX_OBJECT_DISTANCE = 5;
/** Words before the verb: a server's name, a product's. */
const MAX_WORDS_BEFORE = 4;
/** A longer text ends in a verb by chance. */
const MAX_WORDS_OF_TITLE = 6;
const MIN_TYPO_LENGTH = 5;
const LEAD_IN = new RegExp(
  `^(?:${[
    'please',
    'kindly',
    'just',
    'hey',
    'hi',
    'hello',
    'ok',
    'okay',
    'and',
    'then',
    'also',
    'now',
    'next',
    'first',
    'finally',
    'go ahead and',
    'feel free to',
    '(?:can|could|would|will) (?:you|we|someone|somebody)',
    '(?:i|we) (?:want|need|wish|have|must|am trying|m trying|am going|m going)(?: you| that you)?(?: to)?',
    "i(?:'d| would|'ll| will) (?:like|love) (?:you )?to",
    'how (?:do|can|could|would|should) (?:i|we|you|one)',
    'how to',
    'what(?: is|.s) the best way to',
    'is there (?:a|any) (?:way|tool) (?:to|that can)',
    'help (?:me|us)(?: to)?',
    "let(?:'s| us)",
    'try to',
    'i wonder (?:if|whether)',
    'do you know',
    'a tool (?:to|that can|for)',
    'tool (?:to|that can|for)',
  ].join('|')})(?![a-z0-9])[\\s,:]*`,
);
const NOUN_PAIRS: ReadonlySet<string> = new Set([
  'pull request',
  'merg request',
  'api key',
  'end point',
  'file content',
  'test case',
]);
const DETERMINERS: ReadonlySet<string> = new Set(
  'a an the my our your his her their its this that these those all any some every each no me us it them new'.split(
    ' ',
  ),
);

/** Reads the verb of a clause: imperative, question, or after a name ("GitHub open an issue"). */
export function readAction(clause: string): RequestAction {
  const named = NAME_BEFORE.exec(clause.slice(0, MAX_NAME_CHARACTERS))?.[0].length ?? 0;
  if (named > 0 && named < clause.length) {
    const after = readAction(clause.slice(named));
    if (after.actions !== 0) return after;
  }
  const words = splitWords(withoutLeadIn(clause));
  const stems = words.map(stem);
  if (words.length === 0) return NO_ACTION;
  const found = verbAt(words, stems, 0) ?? verbAfterName(words, stems) ?? verbAtEnd(stems);
  if (found !== undefined) return found;
  // "On the board Spring, set the status": what is asked comes after a comma.
  const comma = clause.indexOf(', ');
  return comma === -1 ? NO_ACTION : readAction(clause.slice(comma + 2));
}

function withoutLeadIn(clause: string): string {
  let rest = clause.slice(0, MAX_CHARACTERS).trimStart();
  for (;;) {
    const lead = LEAD_IN.exec(rest.toLowerCase())?.[0].length ?? 0;
    if (lead === 0 || lead === rest.length) return rest;
    rest = rest.slice(lead);
  }
}

function verbAt(words: readonly string[], stems: readonly string[], at: number): RequestAction | undefined {
  const word = stems[at] ?? '';
  if (isPlural(words[at] ?? '', word) || isNoun(stems, at)) return undefined;
  const phrase = phrasesFrom(word).find((one) => matches(one, stems, at));
  const actions = actionsOf(word) || (at === 0 ? actionsOfTypo(words[at] ?? '') : 0);
  if (phrase !== undefined && (phrase.words.length > 1 || phrase.objects !== undefined || actions === 0)) {
    return readPhrase(phrase, actions !== 0 && phrase.words.length === 1);
  }
  if (actions === 0 && phrase === undefined) return undefined;
  const next = words[at + 1];
  const isCertain = !DOUBTFUL_VERBS.has(word) || (next !== undefined && isBeforeObject(next));
  if (phrase === undefined) {
    const verbs = isUsual(word) ? [] : usualVerbs(actions);
    const standIns = verbs.length === 0 ? NO_ACTION.standIns : new Map([[word, [word, ...verbs]]]);
    return { actions, certainty: isCertain ? 1 : 0.5, standIns };
  }
  return { ...readPhrase(phrase, true), actions: actions | phrase.actions, certainty: isCertain ? 1 : 0.6 };
}

/** "files", "types": who asks uses the plain form of a verb. */
function isPlural(word: string, stemmed: string): boolean {
  return word.endsWith('s') && !stemmed.endsWith('s') && !STOP_WORDS.has(word);
}

/** "pull request", "merge request": no verb, whatever it looks like. */
function isNoun(stems: readonly string[], at: number): boolean {
  return NOUN_PAIRS.has(`${stems[at]} ${stems[at + 1]}`);
}

function isBeforeObject(word: string): boolean {
  return DETERMINERS.has(word) || STOP_WORDS.has(word) || /^\p{N}/u.test(word);
}

function readPhrase({ words, standIns, actions }: EverydayVerb, isToolVerb: boolean): RequestAction {
  const telling = words.filter((word) => word !== '*');
  const [first = '', ...others] = telling;
  const map = new Map<string, readonly string[]>([[first, isToolVerb ? [first, ...standIns] : standIns]]);
  for (const other of others) if (!map.has(other) && actionsOf(other) === 0) map.set(other, []);
  return { actions, certainty: 1, standIns: map };
}

/** Whether a phrase stands at a place, with one of its objects after it. */
function matches({ words, objects }: EverydayVerb, stems: readonly string[], start: number): boolean {
  let at = start;
  for (let i = 0; i < words.length; i++) {
    if (words[i] !== '*') {
      if (stems[at] !== words[i]) return false;
      at++;
      continue;
    }
    const next = words[i + 1];
    if (next === undefined) return at < stems.length;
    const found = stems.indexOf(next, at + 1);
    if (found === -1 || found - at > MAX_GAP) return false;
    at = found;
  }
  if (objects === undefined) return true;
  return stems.slice(at, at + MAX_OBJECT_DISTANCE).some((stemmed) => objects.has(stemmed));
}

function verbAfterName(words: readonly string[], stems: readonly string[]): RequestAction | undefined {
  for (let at = 1; at <= MAX_WORDS_BEFORE && at + 1 < words.length; at++) {
    const before = words[at - 1] ?? '';
    if (STOP_WORDS.has(before) || DETERMINERS.has(before)) continue;
    const word = stems[at] ?? '';
    const isVerb =
      (actionsOf(word) !== 0 && (!DOUBTFUL_VERBS.has(word) || isBeforeObject(words[at + 1] ?? ''))) ||
      phrasesFrom(word).some((one) => one.words.length > 1 && matches(one, stems, at));
    if (!isVerb || STOP_WORDS.has(words[at] ?? '')) continue;
    const found = verbAt(words, stems, at);
    if (found !== undefined) return { ...found, certainty: found.certainty * 0.8 };
  }
  return undefined;
}

/** "file contents search", "issue creation". */
function verbAtEnd(stems: readonly string[]): RequestAction | undefined {
  const last = stems.at(-1) ?? '';
  const actions = actionsOf(last);
  const isVerb = (actions & READING) !== 0 || (actions !== 0 && !DOUBTFUL_VERBS.has(last));
  return isVerb && stems.length > 1 && stems.length <= MAX_WORDS_OF_TITLE
    ? { ...NO_ACTION, actions, certainty: 0.5 }
    : undefined;
}

/** A verb misspelt at the beginning, where nothing else says what is asked: "serach", "explian". */
function actionsOfTypo(word: string): number {
  if (word.length < MIN_TYPO_LENGTH || phrasesFrom(stem(word)).length > 0 || STOP_WORDS.has(word)) return 0;
  return longVerbs(MIN_TYPO_LENGTH).find((verb) => countSlips(word, verb.word, 1) === 1)?.actions ?? 0;
}

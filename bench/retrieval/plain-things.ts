import { readToolText } from '../../src/search/index/tool-text.ts';
import { ROLE, ROLE_MASK, readTraits } from '../../src/search/index/tool-traits.ts';
import { ACTIONS, type Action } from '../../src/search/words/actions.ts';
import { splitWords } from '../../src/search/words/words.ts';
import type { ListedTool } from './sets.ts';

/** A tool whose name is a verb and an object, and ten ways to ask for it. */
export interface PlainThing {
  readonly tool: ListedTool;
  readonly action: Action;
  readonly object: string;
  readonly wordings: readonly string[];
}

/** `o` is the object, `os` its plural. */
const WORDINGS: Partial<Record<Action, string>> = {
  read: `show me the {o}, get the {o}, pull up the {o}, look at the {o}, bring up the {o}, view the {o},
    let me see the {o}, fetch the {o}, can you show me the {o}, i want to look over the {o}`,
  list: `list the {os}, show all {os}, give me all {os}, list my {os}, what {os} are there, show my {os},
    which {os} do we have, what {os} do i have, please list all {os}, run down the {os}`,
  search: `find {os}, look for {os}, search {os}, search for {os}, dig up {os}, look up {os}, hunt down {os},
    i need to find {os}, track down {os}, locate {os}`,
  create: `create a {o}, make a new {o}, add a {o}, set up a new {o}, put together a {o}, i need to make a {o},
    please create a new {o}, generate a {o}, start a new {o}, draw up a {o}`,
  update: `update the {o}, change the {o}, edit the {o}, modify the {o}, adjust the {o}, fix the {o},
    i want to change the {o}, make changes to the {o}, tweak the {o}, please edit the {o}`,
  delete: `delete the {o}, remove the {o}, get rid of the {o}, throw away the {o}, erase the {o}, trash the {o},
    please remove the {o}, i want to get rid of the {o}, drop the {o}, wipe out the {o}`,
  send: `send a {o}, shoot off a {o}, fire off a {o}, send out a {o}, please send a {o}, post a {o}, i want to send a {o},
    send the {o}, send off the {o}, can you send a {o}`,
  run: `run the {o}, start the {o}, kick off the {o}, execute the {o}, fire up the {o}, please run the {o},
    trigger the {o}, launch the {o}, i want to run the {o}, carry out the {o}`,
  stop: `cancel the {o}, stop the {o}, call off the {o}, abort the {o}, shut down the {o}, kill the {o}, end the {o},
    please stop the {o}, terminate the {o}, i want to cancel the {o}`,
  move: `move the {o}, shift the {o}, transfer the {o}, relocate the {o}, please move the {o}, drag the {o},
    i want to move the {o}, move the {o} somewhere else, take the {o} over to another place, migrate the {o}`,
  copy: `copy the {o}, duplicate the {o}, make a copy of the {o}, clone the {o}, please copy the {o},
    i need a copy of the {o}, replicate the {o}, copy this {o}, i want to duplicate the {o}, duplicate this {o}`,
  download: `download the {o}, export the {o}, pull down the {o}, save the {o} as a file, back up the {o},
    please download the {o}, i want to download the {o}, grab a copy of the {o}, get a copy of the {o}, dump the {o}`,
  upload: `upload the {o}, attach the {o}, import the {o}, bring in the {o}, please upload a {o}, upload a {o},
    i want to attach a {o}, attach a {o}, i need to upload the {o}, put the {o} up`,
  complete: `complete the {o}, finish the {o}, close the {o}, wrap up the {o}, tick off the {o}, check off the {o},
    mark the {o} as done, please close the {o}, close out the {o}, cross off the {o}`,
};
const MAX_OBJECT_WORDS = 3;

export function plainThings(tools: readonly ListedTool[]): PlainThing[] {
  return tools.flatMap((tool) => readThing(tool) ?? []);
}

function readThing(tool: ListedTool): PlainThing | undefined {
  const text = readToolText(tool);
  if (text === undefined) return undefined;
  const words = splitWords(tool.name);
  const { roles, nameActions } = readTraits(tool.server, text);
  const own = words
    .map((word, i) => ({ word, role: (roles[i] ?? 0) & ROLE_MASK }))
    .filter(({ role }) => role !== ROLE.server);
  const objects = own.slice(1).map(({ word }) => word);
  const isPlain =
    own[0]?.role === ROLE.verb &&
    own.slice(1).every(({ role }) => role === ROLE.object) &&
    objects.length >= 1 &&
    objects.length <= MAX_OBJECT_WORDS;
  const action = ACTIONS.find((one, i) => ((nameActions >>> i) & 1) === 1 && WORDINGS[one] !== undefined);
  if (!isPlain || action === undefined) return undefined;
  const object = objects.join(' ');
  const wordings = (WORDINGS[action] ?? '').split(/,\s+/).map((wording) => fill(wording, object));
  return { tool, action, object, wordings };
}

function fill(wording: string, object: string): string {
  const isPlural = /[^su]s$/.test(object);
  const plural = isPlural ? object : object.endsWith('y') ? object.replace(/y$/, 'ies') : `${object}s`;
  const filled = wording
    .replace('{os}', plural)
    .replace(isPlural ? /(?:\ba )?(new )?\{o\}/ : '{o}', `$1${object}`);
  return (isPlural ? filled : filled.replace('$1', '')).replace(/\ba (?=[aeio])/g, 'an ');
}

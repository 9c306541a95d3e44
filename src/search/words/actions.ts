import { stem } from './stem.ts';

/**
 * What tools do and requests ask for, by the words for it. The first words of a line are those that tools use: they
 * stand in where a request says it otherwise.
 */
const VERBS = {
  read: `get read retrieve fetch view show describe display inspect return see obtain lookup examine preview peek
    recall reveal grab`,
  list: 'list enumerate browse',
  search: 'search find query discover locate seek hunt grep filter scan detect explore recommend suggest',
  count: 'count tally',
  create: `create add make insert generate new register raise draft compose draw append build initialize init
    establish define provision prepare record remember store plot sketch author spawn install upsert push`,
  update: `update edit modify change set rename alter patch adjust tweak amend revise bump extend shorten reschedule
    postpone delay configure assign reassign mark label tag replace correct fix reorder rotate prioritize reprioritize reword retitle unassign switch increase decrease raise
    lower scale resize override tighten`,
  toggle:
    'toggle enable disable pin unpin star unstar mute unmute activate deactivate lock unlock protect unprotect',
  delete: `delete remove erase drop destroy wipe purge discard trash unregister clear detach revoke unpublish
    uninstall scrap ditch nuke unlink cleanup unset`,
  archive: 'archive hide',
  send: 'send post publish reply message email notify forward broadcast ping respond announce invite share tweet',
  run: `run execute start launch trigger invoke restart deploy rerun retry redeploy queue perform call resume play
    reboot bounce kick relaunch crawl`,
  stop: 'stop cancel abort terminate kill pause halt end suspend quit interrupt',
  move: 'move transfer relocate migrate shift drag',
  copy: 'copy duplicate clone fork replicate',
  download: 'download export save dump backup',
  upload: 'upload import attach ingest load',
  convert: 'convert transform translate format parse encode decode compress extract render scrape turn',
  compute: `calculate compute evaluate analyze compare validate verify check test diagnose audit summarize lint diff
    sum average multiply estimate measure assess review explain proofread`,
  complete: 'complete finish close resolve',
  restore: 'restore undo revert reopen undelete recover rollback unarchive',
  approve: 'approve accept confirm merge',
  reject: 'reject decline deny dismiss',
  connect: 'connect login authenticate join authorize link subscribe',
  act: 'click press type fill hover scroll select navigate tap visit wait',
} as const;

export type Action = keyof typeof VERBS;

/** In the order of their numbers; number 0 is no action. */
export const ACTIONS = Object.keys(VERBS) as Action[];

const bits = new Map<Action, number>(ACTIONS.map((action, i) => [action, 2 ** i]));

/** A set of actions as the bits of one number. */
export function setOf(...actions: readonly Action[]): number {
  return actions.reduce((set, action) => set | (bits.get(action) ?? 0), 0);
}

export const READING = setOf('read', 'list', 'search', 'count');

/** Near one another, of 1: a tool that searches serves who asks for a list. */
const NEAR: readonly (readonly [Action, Action, number])[] = [
  ['read', 'list', 0.6],
  ['read', 'search', 0.6],
  ['list', 'search', 0.7],
  ['count', 'list', 0.5],
  ['count', 'search', 0.5],
  ['count', 'read', 0.4],
  ['count', 'compute', 0.4],
  ['read', 'download', 0.5],
  ['read', 'compute', 0.4],
  ['read', 'convert', 0.3],
  ['create', 'send', 0.4],
  ['create', 'upload', 0.4],
  ['create', 'copy', 0.3],
  ['create', 'run', 0.2],
  ['create', 'update', 0.3],
  ['update', 'move', 0.5],
  ['update', 'toggle', 0.4],
  ['update', 'complete', 0.6],
  ['update', 'restore', 0.3],
  ['update', 'archive', 0.4],
  ['update', 'approve', 0.4],
  ['update', 'reject', 0.4],
  ['complete', 'archive', 0.3],
  ['complete', 'approve', 0.4],
  ['delete', 'archive', 0.5],
  ['delete', 'stop', 0.3],
  ['stop', 'complete', 0.2],
  ['convert', 'compute', 0.4],
  ['download', 'convert', 0.3],
  ['download', 'copy', 0.2],
  ['run', 'act', 0.3],
  ['run', 'compute', 0.2],
  ['send', 'run', 0.1],
];

const nearness = tableNearness();

function tableNearness(): Float64Array {
  const size = ACTIONS.length;
  const table = new Float64Array(size * size);
  for (let i = 0; i < size; i++) table[i * size + i] = 1;
  for (const [a, b, value] of NEAR) {
    const [i, j] = [ACTIONS.indexOf(a), ACTIONS.indexOf(b)];
    table[i * size + j] = value;
    table[j * size + i] = value;
  }
  return table;
}

/** How well two sets of actions agree: 1 where they share one, 0 where nothing is near. */
export function agreement(asked: number, done: number): number {
  if ((asked & done) !== 0) return 1;
  let best = 0;
  for (let i = 0; i < ACTIONS.length; i++) {
    if (((asked >>> i) & 1) === 0) continue;
    for (let j = 0; j < ACTIONS.length; j++) {
      if (((done >>> j) & 1) === 1) best = Math.max(best, nearness[i * ACTIONS.length + j] ?? 0);
    }
  }
  return best;
}

/** How many verbs of an action are the ones that most tools use. */
const USUAL_VERBS = 4;

/** Whether tools commonly use a verb, by its stem. */
export function isUsual(stemmed: string): boolean {
  usual ??= new Set(ACTIONS.flatMap((action) => usualVerbs(setOf(action), USUAL_VERBS)));
  return usual.has(stemmed);
}

let usual: Set<string> | undefined;

/** The stems of the verbs that tools use most for some of these actions. */
export function usualVerbs(actions: number, count = 2): string[] {
  return ACTIONS.filter((_, i) => ((actions >>> i) & 1) === 1).flatMap((action) =>
    VERBS[action].split(/\s+/).slice(0, count).map(stem),
  );
}

/** The verbs of at least so many letters, for telling misspelt ones. */
export function longVerbs(letters: number): readonly { readonly word: string; readonly actions: number }[] {
  verbsByLength ??= ACTIONS.flatMap((action) =>
    VERBS[action].split(/\s+/).map((word) => ({ word, actions: setOf(action) })),
  );
  return verbsByLength.filter(({ word }) => word.length >= letters);
}

let verbsByLength: { word: string; actions: number }[] | undefined;

let actionsByVerb: Map<string, number> | undefined;

/** The actions that a verb may mean, by its stem; 0 for none. */
export function actionsOf(stemmed: string): number {
  actionsByVerb ??= tableVerbs();
  return actionsByVerb.get(stemmed) ?? 0;
}

function tableVerbs(): Map<string, number> {
  const table = new Map<string, number>();
  for (const action of ACTIONS) {
    for (const verb of VERBS[action].split(/\s+/)) {
      table.set(stem(verb), (table.get(stem(verb)) ?? 0) | setOf(action));
    }
  }
  return table;
}

/** Verbs of the table that are as often nouns or adjectives: verbs only where a verb stands. */
export const DOUBTFUL_VERBS: ReadonlySet<string> = new Set(
  `view display return record draft build fix set label tag pin star switch scale drop message email ping post tweet
  share forward run start launch trigger queue call play end move transfer shift copy clone fork export dump backup
  import load format test review check diff sum average average measure link filter query search find list count tally
  type wait select press tap click fill scroll change update patch bump delay mark plot sketch store install push
  archive download upload audit summary evaluate estimate close complete open render parse extract process fetch
  kick bounce lower raise define author prepare crawl lint invite reply publish deploy merge approve`
    .split(/\s+/)
    .map(stem),
);

const OPPOSITES: readonly (readonly [number, number])[] = [
  [setOf('create', 'update', 'upload', 'restore', 'send'), setOf('delete')],
  [setOf('run'), setOf('stop')],
  [setOf('approve'), setOf('reject')],
  [setOf('create'), setOf('update', 'toggle', 'complete', 'archive', 'restore', 'move')],
  [setOf('delete'), setOf('move', 'copy', 'run', 'connect')],
  [setOf('archive'), setOf('restore')],
  [setOf('download'), setOf('upload')],
];

/** 1 where a tool does not do what is asked but changes what was to be read, or the other way; less elsewhere. */
export function contradiction(asked: number, done: number): number {
  if (done === 0 || agreement(asked, done) >= 0.5) return 0;
  if (((asked & READING) !== 0) !== ((done & READING) !== 0)) return 1;
  for (const [one, other] of OPPOSITES) {
    if (((asked & one) !== 0 && (done & other) !== 0) || ((asked & other) !== 0 && (done & one) !== 0))
      return 1;
  }
  return agreement(asked, done) > 0 ? 0 : 0.5;
}

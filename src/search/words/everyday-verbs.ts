import { type Action, setOf } from './actions.ts';
import { stem } from './stem.ts';

/**
 * How people say what tools name otherwise. A line: what is meant (actions), the verbs that tools have for it, and
 * the phrases. `*` stands for one to four words; words after `:` are objects of which one has to follow.
 */
const PHRASES = `
create | create add | set up, put together, write up, spin up, whip up, come up with, start *new, begin a, draw up, note down, jot down, write down, take note of, put *on the calendar, block out, block off, pencil in, squeeze in, make a note
create | create add | file : bug issue ticket report complaint request claim story defect task case
create | create add | open : issue ticket bug pr pull merge request mr discussion case thread story task incident account milestone branch
create | create add | open up : issue ticket bug pr pull merge request discussion case
create | create add | start : branch thread discussion conversation project issue list page document doc board channel
create | create add | raise : issue ticket bug pr request concern incident case
create | create add | log : bug issue ticket time hours work defect call note expense incident
create | create add | cut : release branch tag version
create | create add | report : bug issue problem incident crash defect
create | create schedule add | book, schedule, plan : meeting call appointment event room slot time session minutes hour hours lunch dinner table flight hotel visit interview
create | create add | put *in, put *into, put *on, stick *in, stick *on, stuff *into, throw *in, throw in, drop *into, slip *in
create | create add save | remember, memorize, memorise, remind me, keep in mind, save *to
create | create add | write : page document doc note post article story review issue comment file report
create | create take capture | take : screenshot picture photo snapshot shot note notes
create | create generate | draw, paint, chart, graph, plot, sketch, visualize, visualise, diagram, produce, whip
create | create add comment | comment on, comment that, leave a comment, leave *comment, add *comment, leave a note, chime in, weigh in
create send | create send schedule | invite
update | update edit | make changes to, make a change to, make some changes to, put off, push back, push out, move back, bring forward, call back, hold over, shift *to, postpone, delay
update | update edit | give : priority label title name status estimate
update | update edit assign | give *to, hand *to, hand over, hand off, pass *to, assign, reassign, put *in charge
update | update set | set *to, change *to, turn up, turn down, switch to, bump, bump up, crank up, scale up, scale down, dial up, dial down, make *private, make *public, make *bold, flag
toggle update | enable update | turn on, switch on, activate
toggle update | disable update | turn off, switch off, deactivate, silence, mute
update | update edit rename | call *instead, rename, retitle
update | update edit | fix, correct, touch up, clean up, brush up, tidy up, fill in *field
update move | update move | move : meeting call appointment event deadline date issue ticket card story task item
update complete | complete close update | tick off, check off, cross off, mark *done, mark *complete, mark *completed, mark *finished, mark *resolved, mark *read, set *done, wrap up, finish off, sign off, close out, be done with
update | update mark | mark *as
delete | delete remove | get rid of, throw away, throw out, toss, toss out, take out, take down, take *off, wipe out, kill off, chuck, bin, clear out, strike, kick *out, tear down, rip out
stop | cancel stop | call off, shut down, shut off, knock off, bail out, back out
stop | stop kill terminate | kill, abort
send | send post message | drop *line, drop *message, drop *note, shoot, fire off, ping, dm, text, tell *that, let *know, get back to, reach out to, get in touch, pass on, write to, write back, say *in, say hi, post, chat, poke, nudge, message, notify, warn
send | send post message | page : channel oncall team user group everyone
send | reply respond send | answer, reply, write back, respond
send create | publish post send | push *live, put *live, go live, publish, release, announce
run | run execute start | kick off, fire up, boot up, start up, set off, get *going, set *running, queue, carry out
run | restart start run | bounce, power cycle, reboot, restart, relaunch
run | deploy run | push *to production, push *to staging, ship, roll out, redeploy
run | retry rerun run | try *again, do *again, run *again, retry, rerun
restore | restore revert rollback | roll back, back out, bring back, undo, put back, take back
restore | reopen restore | reopen, open again
read | get read show | let me see, let me have a look at, let me look at, show me, give me, tell me, look at, look over, look into, pull up, bring up, see, view, display, have a look, take a look, go through, go over, catch up on, read, check on, keep an eye on, get me, fetch, what is, what's, whats, who is, who's, print, watch, monitor
read | read get open | open : file document folder page message email doc image note notebook spreadsheet
act | navigate open | open, go to, visit, head to, browse to : http https www url site website page tab link browser localhost
read | get read | open
search | search find | look for, look up, look through, dig up, dig through, dig out, dig into, dig around, hunt down, track down, search for, come across, hunt for, sift through, comb through, find out, locate, where is, where are, where's, where did, any, has anyone, which
list | list get | list, show all, show my, give me all, get all, all my, my open, all, every, what are, which *are, name the, run down, go through all, whats on, what's on, what *are there, what *is there, what *do i have, what *do we have
list search count | list search count | how many, how much, number of
read | get | is, are, has, have, did, does, do, was, were, will, would, can i, could i, when, why, who, what, how, whose
read compute | check get validate | check, check if, check whether, make sure, see if, find out if, double check, verify, inspect
compute | calculate | add up, work out, figure out, total up, how far, how long
compute | analyze summarize | sum up, boil down, break down, make sense of, compare
copy | copy duplicate | make a copy, make *copy of
move | move transfer | move, drag, shift, take *over to
download | download export | pull down, save *as, back up, get a copy of, grab a copy
read convert | extract get scrape | pull *out of, pull *from, scrape, lift *from, grab *from
read | get | pull : request requests
read | get fetch | pull
convert | convert transform generate | turn *into, make *into, change *into
upload | upload attach import | put *up, bring in, hang *on, attach, upload
approve | approve merge accept | give *green light, ok the, sign off on, approve, lgtm
connect | login connect authenticate | log in, log into, sign in, sign into, hook up, sign up, log on
act | fill type | fill in, fill out, type in, key in, enter
create update | create update write | put, write, save, store, record
create send | create post add | post
delete | delete remove drop | drop
send | send | push
archive | archive | put away, shelve, stash, stow
`;

export interface EverydayVerb {
  /** Stems of the phrase, `*` for one to four words. */
  readonly words: readonly string[];
  readonly objects: ReadonlySet<string> | undefined;
  readonly actions: number;
  /** Stems of the verbs that tools have for it. */
  readonly standIns: readonly string[];
}

/** A phrase as it is written in the table: taken apart when a request first has its first word. */
interface WrittenPhrase {
  readonly phrase: string;
  readonly meant: string;
  readonly verbs: string;
  readonly objects: string | undefined;
}

let written: Map<string, WrittenPhrase[]> | undefined;
const taken = new Map<string, readonly EverydayVerb[]>();

/** The phrases that begin with a stem, in the order they are to be tried: with an object first, then the longest. */
export function phrasesFrom(stemmed: string): readonly EverydayVerb[] {
  const known = taken.get(stemmed);
  if (known !== undefined) return known;
  written ??= readPhrases();
  const found = written.get(stemmed);
  if (found === undefined) return [];
  const phrases = found.map(takeApart).sort((a, b) => rankOf(b) - rankOf(a));
  taken.set(stemmed, phrases);
  return phrases;
}

function readPhrases(): Map<string, WrittenPhrase[]> {
  const table = new Map<string, WrittenPhrase[]>();
  for (const line of PHRASES.trim().split('\n')) {
    const [meant = '', verbs = '', rest = ''] = line.split(' | ');
    const [phrases = '', objects] = rest.split(' : ');
    for (const phrase of phrases.split(', ')) {
      const first = stem(/^[a-z]+/.exec(phrase)?.[0] ?? '');
      const one = { phrase, meant, verbs, objects };
      const known = table.get(first);
      if (known === undefined) table.set(first, [one]);
      else known.push(one);
    }
  }
  return table;
}

function takeApart({ phrase, meant, verbs, objects }: WrittenPhrase): EverydayVerb {
  return {
    words: phrase
      .replace(/\*(?=\w)/g, '* ')
      .replace(/'/g, ' ')
      .split(' ')
      .map(stem),
    objects: objects === undefined ? undefined : new Set(objects.split(' ').map(stem)),
    actions: setOf(...(meant.split(' ') as Action[])),
    standIns: verbs.split(' ').map(stem),
  };
}

function rankOf({ words, objects }: EverydayVerb): number {
  return words.length + (objects === undefined ? 0 : 0.5);
}

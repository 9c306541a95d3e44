import { hashOf } from '../index/term-hash.ts';
import { DESTRUCTIVE, PLURAL, READ_ONLY, ROLE, ROLE_MASK } from '../index/tool-traits.ts';
import type { Query } from '../query/query-terms.ts';
import { agreement, contradiction, READING } from '../words/actions.ts';
import { DETAIL_KINDS } from '../words/details.ts';
import { isPlural } from '../words/plural.ts';
import type { Evidence } from './evidence.ts';

export const ACTION_FEATURES = [
  'actionAgrees',
  'actionContradicts',
  'textActionAgrees',
  'hintContradicts',
  'hasNoAction',
  'readsUnasked',
  'objectCover',
  'objectCoverAgreeing',
  'objectCoverContradicting',
  'objectsUncovered',
  'isAskedExactly',
  'numberDiffers',
  'detailsTaken',
  'detailsNotTaken',
] as const;

/** What is asked in the clause that speaks of the tool most, and whether the tool does it. */
export function readAction(
  found: Evidence,
  { actions, details }: Query,
  clauseBest: Float64Array,
  plurals: ReadonlyMap<number, boolean>,
): number[] {
  const { segment } = found.candidate.shelf;
  const { document } = found.candidate;
  const asked = actions[clauseOf(found, clauseBest)];
  const done = segment.nameActions[document] ?? 0;
  const opening = segment.textActions[document] ?? 0;
  const flags = segment.details[document] ?? 0;
  const does = done === 0 ? opening : done;
  const { cover, uncovered, objects, differing } = coverObjects(found, plurals);
  const isAsked = asked !== undefined && asked.actions !== 0;
  const certainty = asked?.certainty ?? 0;
  const agrees = isAsked ? certainty * agreement(asked.actions, does) : 0;
  const contradicts = isAsked ? certainty * contradiction(asked.actions, does) : 0;
  return [
    agrees,
    contradicts,
    isAsked && opening !== 0 ? certainty * agreement(asked.actions, opening) : 0,
    isAsked ? certainty * contradictsHint(asked.actions, flags) : 0,
    isAsked && does === 0 ? certainty : 0,
    !isAsked && (does & READING) !== 0 ? 1 : 0,
    cover,
    cover * agrees,
    cover * contradicts,
    Math.min(uncovered, 4) / 4,
    objects > 0 && cover > 0.99 ? agrees : 0,
    differing,
    ...compareDetails(details, flags),
  ];
}

function clauseOf({ clauses }: Evidence, best: Float64Array): number {
  let at = 0;
  let highest = 0;
  clauses.forEach((score, clause) => {
    const relative = score / (best[clause] ?? 1);
    if (relative > highest) {
      highest = relative;
      at = clause;
    }
  });
  return at;
}

interface ObjectCover {
  /** How much of what the name names besides verb and server is covered. */
  readonly cover: number;
  readonly uncovered: number;
  readonly objects: number;
  /** Share of the objects that the request has in the other number: one project, all projects. */
  readonly differing: number;
}

function coverObjects(
  { nameCover, candidate }: Evidence,
  plurals: ReadonlyMap<number, boolean>,
): ObjectCover {
  const { hashes, nameStarts, nameRoles, nameTerms } = candidate.shelf.segment;
  const start = nameStarts[candidate.document] ?? 0;
  let objects = 0;
  let covered = 0;
  let differing = 0;
  nameCover.forEach((cover, word) => {
    const role = nameRoles[start + word] ?? 0;
    if ((role & ROLE_MASK) !== ROLE.object) return;
    objects++;
    covered += cover;
    const asked = cover < 1 ? undefined : plurals.get(hashes[nameTerms[start + word] ?? 0] ?? 0);
    if (asked !== undefined && asked !== ((role & PLURAL) !== 0)) differing++;
  });
  const share = 1 / Math.max(objects, 1);
  return {
    cover: objects === 0 ? 0.5 : covered * share,
    uncovered: objects - covered,
    objects,
    differing: differing * share,
  };
}

/** By hash of a word's stem: whether the request has it in the plural. */
export function readPlurals({ terms }: Query): Map<number, boolean> {
  return new Map(terms.map(({ stem, word }) => [hashOf(stem), isPlural(word)]));
}

function contradictsHint(asked: number, flags: number): number {
  const reads = (asked & READING) !== 0;
  if (!reads && (flags & READ_ONLY) !== 0) return 1;
  return reads && (flags & DESTRUCTIVE) !== 0 ? 1 : 0;
}

function compareDetails(given: number, taken: number): [taken: number, notTaken: number] {
  let met = 0;
  let missed = 0;
  for (const kind of DETAIL_KINDS) {
    if ((given & kind) === 0) continue;
    if ((taken & kind) === 0) missed++;
    else met++;
  }
  return [Math.min(met, 3) / 3, Math.min(missed, 3) / 3];
}

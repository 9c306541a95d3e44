import type { AnswerInput } from './answer-input.ts';
import { joinAnswer, noteOf } from './answer-note.ts';
import { type RenderedHit, renderHits } from './rendered-hit.ts';
import { estimateTokens, mayFit } from './token-estimate.ts';

const DEFAULT_MAX_TOKENS = 4_000;
/** A lone hit may cost this many times the budget before its schema is left out. */
const LONE_HIT_FACTOR = 10;
const SURE_SCHEMAS = 2;
const LATER_SCHEMAS_SHARE = 0.375;

interface ShownHit {
  readonly hit: RenderedHit;
  readonly text: string;
  readonly cost: number;
}

/**
 * The text of a `search_tools` answer: one line of JSON within the token budget. Beyond it goes only what cannot be
 * left out: the name of the first hit, and what is said of servers that were not searched.
 */
export function writeSearchAnswer(input: AnswerInput): string {
  const maxTokens = input.maxTokens ?? DEFAULT_MAX_TOKENS;
  const isLone = input.hits.length === 1;
  const frame = estimateTokens(joinAnswer(input, [], noteOf(input, input.hits.length, true)));
  const budget = (isLone ? maxTokens * LONE_HIT_FACTOR : maxTokens) - frame;
  const shown = chooseForms(renderHits(input, input.detail ?? 'full'), budget);
  const hasOmitted = shown.some(({ hit, text }) => hit.hasSchema && text !== hit.full);
  const texts = shown.map(({ text }) => text);
  return joinAnswer(input, texts, noteOf(input, input.hits.length - shown.length, hasOmitted));
}

/**
 * Every hit in its cheapest form that fits, then the better forms from the first hit on. The first hits get their
 * schemas while the whole budget lasts, later ones only from its first part: they are rarely the one wanted.
 */
function chooseForms(hits: Iterable<RenderedHit>, budget: number): ShownHit[] {
  const shown: ShownHit[] = [];
  let spent = 0;
  for (const hit of hits) {
    const entry = [hit.bare, hit.name]
      .map((text) => ({ hit, text, cost: estimateTokens(text) }))
      .find(({ cost }) => spent + cost <= budget);
    if (entry === undefined && shown.length > 0) break;
    const kept = entry ?? { hit, text: hit.name, cost: estimateTokens(hit.name) };
    spent += kept.cost;
    shown.push(kept);
  }
  upgrade('brief', () => budget);
  upgrade('full', (place) => (place < SURE_SCHEMAS ? budget : budget * LATER_SCHEMAS_SHARE));
  return shown;

  function upgrade(form: 'brief' | 'full', limitAt: (place: number) => number): void {
    shown.forEach((entry, place) => {
      const better = entry.hit[form];
      const room = limitAt(place) - spent + entry.cost;
      if (better === undefined || !mayFit(better, room)) return;
      const cost = estimateTokens(better);
      if (cost > room) return;
      spent += cost - entry.cost;
      shown[place] = { hit: entry.hit, text: better, cost };
    });
  }
}

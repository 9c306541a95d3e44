import type { ToolKey } from '../index/collection.ts';
import type { AnswerInput, Detail } from './answer-input.ts';
import { joinAnswer, noteOf } from './answer-note.ts';
import { type Definition, readDefinition } from './definition.ts';
import { type DescribedTool, differenceFrom } from './differences.ts';
import { firstSentence, shorten } from './shorten.ts';
import { signatureOf } from './signature.ts';
import { estimateTokens } from './token-estimate.ts';

interface RenderedHit {
  /** Cheapest first: the name alone, then a signature, then the schema. */
  readonly bare: string;
  readonly brief: string;
  readonly full: string | undefined;
}

const DEFAULT_MAX_TOKENS = 4_000;
/** A lone hit may cost this many times the budget before its schema is left out. */
const LONE_HIT_FACTOR = 10;
const DESCRIPTION_CHARACTERS = 700;
const SURE_SCHEMAS = 2;
const LATER_SCHEMAS_SHARE = 0.375;

/** The text of a `search_tools` answer: one line of JSON within the token budget. */
export function writeSearchAnswer(input: AnswerInput): string {
  const detail = input.detail ?? 'full';
  const maxTokens = input.maxTokens ?? DEFAULT_MAX_TOKENS;
  const isLone = input.hits.length === 1;
  const frame = estimateTokens(joinAnswer(input, [], noteOf(input, 0, true)));
  const budget = (isLone ? maxTokens * LONE_HIT_FACTOR : maxTokens) - frame;
  const rendered =
    detail === 'names' ? input.hits.map((hit) => renderListed(input, hit)) : render(input, detail);
  const shown = chooseForms(rendered, budget);
  const hasOmitted = shown.some((text, place) => text !== (rendered[place]?.full ?? text));
  return joinAnswer(input, shown, noteOf(input, input.hits.length - shown.length, hasOmitted));
}

const OMITTED = '"schema":"omitted"';
const REQUIRES_TASK = { requires: 'a call as a task; clients without tasks cannot call it' };

function renderName({ server, name }: ToolKey, extra = {}): RenderedHit {
  const bare = JSON.stringify({ server, name, ...extra });
  return { bare, brief: bare, full: undefined };
}

function renderListed({ definitionOf }: AnswerInput, hit: ToolKey): RenderedHit {
  const json = definitionOf(hit.server, hit.name);
  // Lists are long, and reading every definition would cost more than the rest.
  const mayNeedTask = json?.includes('"taskSupport"') === true;
  return renderName(hit, mayNeedTask && readDefinition(json).needsTask ? REQUIRES_TASK : {});
}

function render(input: AnswerInput, detail: Detail): RenderedHit[] {
  const earlier: DescribedTool[] = [];
  return input.hits.map(({ server, name }) => {
    const json = input.definitionOf(server, name);
    if (json === undefined) return renderName({ server, name });
    const definition = readDefinition(json);
    const differs = differenceFrom(earlier, { server, name, definition });
    earlier.push({ server, name, definition });
    return renderHit({ server, name }, definition, differs, detail);
  });
}

function renderHit(
  { server, name }: ToolKey,
  definition: Definition,
  differs: string | undefined,
  detail: Detail,
): RenderedHit {
  const signature = signatureOf(name, definition.parsedSchema);
  const requires = definition.needsTask ? REQUIRES_TASK : {};
  const extra = { ...(differs === undefined ? {} : { differs }), ...requires };
  const bare = JSON.stringify({ server, name, signature, ...requires });
  const sentence = firstSentence(definition.description || (definition.title ?? ''));
  const brief = { server, name, description: sentence, signature, ...extra };
  if (detail === 'brief' || definition.inputSchema === undefined) {
    return { bare, brief: JSON.stringify(brief), full: undefined };
  }
  const described = {
    server,
    name,
    description: shorten(definition.description, DESCRIPTION_CHARACTERS),
    ...extra,
  };
  return {
    bare: `${bare.slice(0, -1)},${OMITTED}}`,
    brief: `${JSON.stringify(brief).slice(0, -1)},${OMITTED}}`,
    full: `${JSON.stringify(described).slice(0, -1)},"inputSchema":${definition.inputSchema}}`,
  };
}

/**
 * Every hit in its cheapest form that fits, then the better forms from the first hit on. The first hits get their
 * schemas while the whole budget lasts, later ones only from its first part: they are rarely the one wanted.
 */
function chooseForms(hits: readonly RenderedHit[], budget: number): string[] {
  const shown: string[] = [];
  let spent = 0;
  for (const { bare } of hits) {
    const cost = estimateTokens(bare);
    if (spent + cost > budget && shown.length > 0) break;
    spent += cost;
    shown.push(bare);
  }
  upgrade('brief', () => budget);
  upgrade('full', (place) => (place < SURE_SCHEMAS ? budget : budget * LATER_SCHEMAS_SHARE));
  return shown;

  function upgrade(form: 'brief' | 'full', limitAt: (place: number) => number): void {
    shown.forEach((text, place) => {
      const better = hits[place]?.[form];
      if (better === undefined) return;
      const extra = estimateTokens(better) - estimateTokens(text);
      if (spent + extra > limitAt(place)) return;
      spent += extra;
      shown[place] = better;
    });
  }
}

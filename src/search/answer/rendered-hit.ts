import type { ToolKey } from '../index/collection.ts';
import type { AnswerInput, Detail } from './answer-input.ts';
import { type Definition, readDefinition } from './definition.ts';
import { DescribedTool, differenceFrom } from './differences.ts';
import { firstSentence, shorten } from './shorten.ts';
import { signatureOf } from './signature.ts';

/** A hit as JSON text, in forms that cost more and more. */
export interface RenderedHit {
  /** The name alone, for when nothing else fits. */
  readonly name: string;
  /** With a signature. */
  readonly bare: string;
  /** With a sentence. */
  readonly brief: string;
  /** With the schema. */
  readonly full: string | undefined;
  /** Whether there is a schema, shown or not. */
  readonly hasSchema: boolean;
}

const DESCRIPTION_CHARACTERS = 700;
/** As much of definitions as one answer reads; hits beyond it are shown by name. */
const MAX_READ_CHARACTERS = 2_000_000;
const OMITTED = '"schema":"omitted"';
const REQUIRES_TASK = { requires: 'a call as a task; clients without tasks cannot call it' };

/** The hits in their order, each rendered when it is asked for. */
export function* renderHits(input: AnswerInput, detail: Detail): Generator<RenderedHit> {
  const earlier: DescribedTool[] = [];
  let left = MAX_READ_CHARACTERS;
  for (const hit of input.hits) {
    const json = input.definitionOf(hit.server, hit.name);
    left -= json?.length ?? 0;
    if (json === undefined) yield nameOnly(hit);
    else if (left < 0) yield { ...nameOnly(hit, { schema: 'omitted' }), hasSchema: true };
    else if (detail === 'names') yield renderListed(hit, json);
    else {
      const tool = new DescribedTool(hit, readDefinition(json));
      yield renderHit(tool, differenceFrom(earlier, tool), detail);
      earlier.push(tool);
    }
  }
}

function nameOnly({ server, name }: ToolKey, extra = {}): RenderedHit {
  const text = JSON.stringify({ server, name, ...extra });
  return { name: text, bare: text, brief: text, full: undefined, hasSchema: false };
}

function renderListed(hit: ToolKey, json: string): RenderedHit {
  // Lists are long, and reading every definition would cost more than the rest.
  const mayNeedTask = json.includes('"taskSupport"');
  return nameOnly(hit, mayNeedTask && readDefinition(json).needsTask ? REQUIRES_TASK : {});
}

function renderHit(
  { server, name, definition }: DescribedTool,
  differs: string | undefined,
  detail: Detail,
): RenderedHit {
  const requires = definition.needsTask ? REQUIRES_TASK : {};
  const extra = { ...(differs === undefined ? {} : { differs }), ...requires };
  const signature = signatureOf(name, definition.parsedSchema);
  const sentence = firstSentence(definition.description || (definition.title ?? ''));
  const forms = {
    name: JSON.stringify({ server, name, ...requires }),
    bare: JSON.stringify({ server, name, signature, ...requires }),
    brief: JSON.stringify({ server, name, description: sentence, signature, ...extra }),
  };
  const hasSchema = definition.inputSchema !== undefined || definition.isSchemaTooLong;
  if (detail === 'brief' || !hasSchema) return { ...forms, full: undefined, hasSchema: false };
  return {
    name: withMember(forms.name, OMITTED),
    bare: withMember(forms.bare, OMITTED),
    brief: withMember(forms.brief, OMITTED),
    full: renderFull({ server, name }, definition, extra),
    hasSchema,
  };
}

function renderFull(
  hit: ToolKey,
  { description, inputSchema }: Definition,
  extra: object,
): string | undefined {
  if (inputSchema === undefined) return undefined;
  const described = { ...hit, description: shorten(description, DESCRIPTION_CHARACTERS), ...extra };
  return withMember(JSON.stringify(described), `"inputSchema":${inputSchema}`);
}

function withMember(object: string, member: string): string {
  return `${object.slice(0, -1)},${member}}`;
}

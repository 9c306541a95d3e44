import { cut } from '../../cut.ts';
import type { ToolKey } from '../index/collection.ts';
import { splitWords } from '../words/words.ts';
import { type Definition, parameterNames } from './definition.ts';

/** Of the words of two descriptions, the share both have. */
const ALIKE = 0.7;
const MIN_WORDS = 4;
const MIN_LENGTH_SHARE = 0.5;
const MAX_LISTED = 6;
const MAX_NAME_CHARACTERS = 60;
const MAX_TWIN_CHARACTERS = 200;
/** As much of a description as is compared. */
const MAX_COMPARED_CHARACTERS = 4_000;

/** A tool as others are compared with it; what that takes is worked out once, when first needed. */
export class DescribedTool implements ToolKey {
  readonly server: string;
  readonly name: string;
  readonly definition: Definition;
  #spoken: string | undefined;
  #words: ReadonlySet<string> | undefined;
  #parameters: ReadonlySet<string> | undefined;

  constructor({ server, name }: ToolKey, definition: Definition) {
    this.server = server;
    this.name = name;
    this.definition = definition;
  }

  /** The words of its name. */
  get spoken(): string {
    this.#spoken ??= splitWords(this.name).join(' ');
    return this.#spoken;
  }

  /** The words of its description. */
  get words(): ReadonlySet<string> {
    this.#words ??= new Set(splitWords(this.definition.description.slice(0, MAX_COMPARED_CHARACTERS)));
    return this.#words;
  }

  get parameters(): ReadonlySet<string> {
    this.#parameters ??= new Set(parameterNames(this.definition));
    return this.#parameters;
  }
}

/** For a tool that looks like an earlier one of another server: a line that tells them apart. */
export function differenceFrom(earlier: readonly DescribedTool[], tool: DescribedTool): string | undefined {
  const twin = earlier.find((other) => other.server !== tool.server && isAlike(other, tool));
  if (twin === undefined) return undefined;
  const facts = [
    listed('only here', tool.parameters, twin.parameters),
    listed('only there', twin.parameters, tool.parameters),
  ].filter((fact) => fact !== '');
  if (facts.length === 0) {
    const isSameText = twin.definition.description === tool.definition.description;
    facts.push(isSameText ? 'same description and parameters' : 'same parameters, other description');
  }
  return `like ${twin.server}/${cut(twin.name, MAX_TWIN_CHARACTERS)}; ${facts.join('; ')}`;
}

function isAlike(a: DescribedTool, b: DescribedTool): boolean {
  if (a.spoken === b.spoken) return true;
  // Splitting costs more than all the rest of an answer, and texts this unlike in length share few words.
  const lengths = [a.definition.description.length, b.definition.description.length];
  if (Math.min(...lengths) < MIN_LENGTH_SHARE * Math.max(...lengths)) return false;
  if (a.words.size < MIN_WORDS || b.words.size < MIN_WORDS) return false;
  let shared = 0;
  for (const word of a.words) if (b.words.has(word)) shared++;
  return shared / (a.words.size + b.words.size - shared) >= ALIKE;
}

function listed(label: string, names: ReadonlySet<string>, others: ReadonlySet<string>): string {
  const own = [...names].filter((name) => !others.has(name));
  if (own.length === 0) return '';
  const shown = own.slice(0, MAX_LISTED).map((name) => cut(name, MAX_NAME_CHARACTERS));
  const more = own.length > MAX_LISTED ? `, …+${own.length - MAX_LISTED}` : '';
  return `${label}: ${shown.join(', ')}${more}`;
}

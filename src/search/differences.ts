import type { ToolKey } from './collection.ts';
import { type Definition, parameterNames } from './definition.ts';
import { splitWords } from './words.ts';

const ALIKE = 0.7;
const MAX_LISTED = 6;

export interface DescribedTool extends ToolKey {
  readonly definition: Definition;
}

/** For a tool that looks like an earlier one of another server: a line that tells them apart. */
export function differenceFrom(earlier: readonly DescribedTool[], tool: DescribedTool): string | undefined {
  const twin = earlier.find((other) => other.server !== tool.server && isAlike(other, tool));
  if (twin === undefined) return undefined;
  const own = parameterNames(tool.definition);
  const others = parameterNames(twin.definition);
  const facts = [
    listed(
      'only here',
      own.filter((name) => !others.includes(name)),
    ),
    listed(
      'only there',
      others.filter((name) => !own.includes(name)),
    ),
  ].filter((fact) => fact !== '');
  if (facts.length === 0) {
    const isSameText = twin.definition.description === tool.definition.description;
    facts.push(isSameText ? 'same description and parameters' : 'same parameters, other description');
  }
  return `like ${twin.server}/${twin.name}; ${facts.join('; ')}`;
}

function isAlike(a: DescribedTool, b: DescribedTool): boolean {
  if (splitWords(a.name).join(' ') === splitWords(b.name).join(' ')) return true;
  const left = new Set(splitWords(a.definition.description));
  const right = new Set(splitWords(b.definition.description));
  if (left.size < 4 || right.size < 4) return false;
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared / (left.size + right.size - shared) >= ALIKE;
}

function listed(label: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length > MAX_LISTED ? `, …+${names.length - MAX_LISTED}` : '';
  return `${label}: ${names.slice(0, MAX_LISTED).join(', ')}${more}`;
}

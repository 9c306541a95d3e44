import type { ToolKey } from '../index/collection.ts';
import { splitWords } from '../words/words.ts';
import { type Definition, parameterNames } from './definition.ts';

/** Of the words of two descriptions, the share both have. */
const ALIKE = 0.7;
const MIN_WORDS = 4;
const MIN_LENGTH_SHARE = 0.5;
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
  const left = a.definition.description;
  const right = b.definition.description;
  // Splitting costs more than all the rest of an answer, and texts this unlike in length share few words.
  const lengths = [left.length, right.length];
  if (Math.min(...lengths) < MIN_LENGTH_SHARE * Math.max(...lengths)) return false;
  const leftWords = new Set(splitWords(left));
  const rightWords = new Set(splitWords(right));
  if (leftWords.size < MIN_WORDS || rightWords.size < MIN_WORDS) return false;
  let shared = 0;
  for (const word of leftWords) if (rightWords.has(word)) shared++;
  return shared / (leftWords.size + rightWords.size - shared) >= ALIKE;
}

function listed(label: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length > MAX_LISTED ? `, …+${names.length - MAX_LISTED}` : '';
  return `${label}: ${names.slice(0, MAX_LISTED).join(', ')}${more}`;
}

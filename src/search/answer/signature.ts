import { cut } from '../../cut.ts';
import { isObject } from '../index/tool-text.ts';
import { typeText } from './type-text.ts';

const MAX_OPTIONAL = 12;
/** Room for the parameters of one tool; the required ones of hardly any need a tenth of it. */
const MAX_CHARACTERS = 3_000;
const MAX_NAME_CHARACTERS = 120;
const SEPARATOR = ', ';
const COMBINATIONS = ['anyOf', 'oneOf', 'allOf'];

/**
 * One line that says how to call a tool: `create_issue(repo: string, title: string, labels?: string[], …+3)`.
 * Required parameters are all there, as long as they are no absurd number; of the optional ones only the first.
 */
export function signatureOf(name: string, inputSchema: unknown): string {
  const schema = isObject(inputSchema) ? inputSchema : {};
  const properties = new Map(Object.entries(isObject(schema.properties) ? schema.properties : {}));
  const required = new Set(
    Array.isArray(schema.required) ? schema.required.filter((key) => typeof key === 'string') : [],
  );
  const parameters: string[] = [];
  let left = MAX_CHARACTERS;
  for (const key of required) {
    const text = `${cut(key, MAX_NAME_CHARACTERS)}: ${typeText(properties.get(key))}`;
    left -= text.length + SEPARATOR.length;
    if (left < 0) break;
    parameters.push(text);
  }
  if (parameters.length < required.size) parameters.push(`…+${required.size - parameters.length} required`);
  const optional = [...properties.keys()].filter((key) => !required.has(key));
  for (const key of optional.slice(0, left < 0 ? 0 : MAX_OPTIONAL)) {
    parameters.push(`${cut(key, MAX_NAME_CHARACTERS)}?: ${typeText(properties.get(key))}`);
  }
  const more = optional.length - (left < 0 ? 0 : MAX_OPTIONAL);
  if (more > 0) parameters.push(`…+${more}`);
  const combinations = COMBINATIONS.filter((key) => Array.isArray(schema[key]));
  if (combinations.length > 0) parameters.push(`…${combinations.join(', ')}`);
  return `${name}(${parameters.join(SEPARATOR)})`;
}

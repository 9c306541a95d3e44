import { elementsOf } from './raw-json.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One JSON-RPC message: what a parser sees, and the text it was. */
export interface Message {
  readonly line: string;
  readonly id?: Json;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: Json;
}

export type Answer = Message;

/** The messages of one line (several when it is a batch); undefined when the line is no JSON-RPC. */
export function readMessages(line: string): Message[] | undefined {
  const text = line.replace(/^\ufeff/, '').trim();
  if (text === '') return [];
  const value = parsed(text);
  const texts = Array.isArray(value) ? elementsOf(text) : [text];
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const messages = values.map((one, index) => asMessage(one, texts[index] ?? ''));
  return messages.every((message) => message !== undefined) ? messages : undefined;
}

function asMessage(value: unknown, line: string): Message | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('jsonrpc' in value) || value.jsonrpc !== '2.0') return undefined;
  return { ...value, line };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // told from JSON by the caller: undefined is no JSON value
  }
}

/** Follows keys and indexes into a JSON value; undefined where there is nothing. */
export function at(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = Array.isArray(current) ? current[Number(key)] : current[key];
  }
  return current;
}

/** The texts of a result's content blocks, joined. */
export function textOf(answer: Answer): string {
  const content = at(answer.result, 'content');
  if (!Array.isArray(content)) throw new Error(`no content in ${answer.line.slice(0, 400)}`);
  return content.map((block) => at(block, 'text') ?? '').join('\n');
}

/** The JSON value that the text of a result spells. */
export function jsonOf(answer: Answer): Json {
  return JSON.parse(textOf(answer)) as Json;
}

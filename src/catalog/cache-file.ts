import { crc32 } from 'node:zlib';
import type { UpstreamSnapshot } from './catalog.ts';
import type { CatalogTool } from './catalog-tool.ts';

/**
 * The form of a cache file: a line `toolsift-catalog FORMAT CHECKSUM`, a line of JSON that says how long each part
 * is, then the parts, exactly as the upstream wrote them. Nothing of it is parsed before it is needed; a file whose
 * checksum does not fit is not believed.
 */
const MAGIC = 'toolsift-catalog';
/** Raised whenever the form changes; files of another format are ignored and rewritten. */
const FORMAT = 1;
const LINE_FEED = 0x0a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export interface CachedUpstream {
  readonly snapshot: UpstreamSnapshot;
  /** When the lists were read, in milliseconds since the epoch. */
  readonly readAt: number;
  /** The `params` of `initialize` that the upstream was asked with: the lists may depend on them. */
  readonly initializeParams: string;
}

interface Header {
  readonly readAt: number;
  readonly initializeParams: number;
  readonly initializeResult: number;
  readonly tools: readonly (readonly [name: string, length: number])[];
  readonly resources: readonly number[];
  readonly resourceTemplates: readonly number[];
  readonly prompts: readonly number[];
  readonly index: number;
}

export function encodeCacheFile({ snapshot, readAt, initializeParams }: CachedUpstream): Buffer {
  const { index = new Uint8Array() } = snapshot;
  const parts: Uint8Array[] = [];
  const add = (text: string): number => {
    const bytes = Buffer.from(text);
    parts.push(bytes);
    return bytes.length;
  };
  const header: Header = {
    readAt,
    initializeParams: add(initializeParams),
    initializeResult: add(snapshot.initializeResult),
    tools: snapshot.tools.map(({ name, definition }) => [name, add(definition)] as const),
    resources: snapshot.resources.map(add),
    resourceTemplates: snapshot.resourceTemplates.map(add),
    prompts: snapshot.prompts.map(add),
    index: index.length,
  };
  const rest = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...parts, index]);
  return Buffer.concat([Buffer.from(`${MAGIC} ${FORMAT} ${crc32(rest)}\n`), rest]);
}

/** Undefined for anything that is not a whole, undamaged file of this format. */
export function decodeCacheFile(server: string, bytes: Buffer): CachedUpstream | undefined {
  const firstEnd = bytes.indexOf(LINE_FEED);
  const rest = bytes.subarray(firstEnd + 1);
  if (firstEnd < 0 || bytes.toString('latin1', 0, firstEnd) !== `${MAGIC} ${FORMAT} ${crc32(rest)}`)
    return undefined;
  const headerEnd = rest.indexOf(LINE_FEED);
  const header = readHeader(rest.subarray(0, Math.max(0, headerEnd)));
  if (header === undefined || headerEnd + 1 + lengthOf(header) !== rest.length) return undefined;
  let at = headerEnd + 1;
  const take = (length: number): Buffer => {
    at += length;
    return rest.subarray(at - length, at);
  };
  const text = (length: number): string => take(length).toString('utf8');
  const initializeParams = text(header.initializeParams);
  const snapshot = {
    initializeResult: text(header.initializeResult),
    tools: header.tools.map(([name, length]) => new CachedTool(server, name, take(length))),
    resources: header.resources.map(text),
    resourceTemplates: header.resourceTemplates.map(text),
    prompts: header.prompts.map(text),
    index: take(header.index),
  };
  const isRight =
    isObjectText(initializeParams) &&
    isObjectText(snapshot.initializeResult) &&
    snapshot.tools.every((tool) => tool.looksLikeObject());
  return isRight ? { snapshot, readAt: header.readAt, initializeParams } : undefined;
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** A right checksum only proves that nothing was damaged, not that we wrote it. */
function readHeader(bytes: Buffer): Header | undefined {
  let header: Partial<Record<keyof Header, unknown>> | null;
  try {
    header = JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
  if (typeof header !== 'object' || header === null) return undefined;
  const { readAt, initializeParams, initializeResult, tools, resources, resourceTemplates, prompts, index } =
    header;
  const isRight =
    Number.isFinite(readAt) &&
    [initializeParams, initializeResult, index].every(isLength) &&
    [resources, resourceTemplates, prompts].every((list) => Array.isArray(list) && list.every(isLength)) &&
    Array.isArray(tools) &&
    tools.every((tool) => Array.isArray(tool) && typeof tool[0] === 'string' && isLength(tool[1]));
  return isRight ? (header as Header) : undefined;
}

function isLength(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** How long all parts are together. */
function lengthOf(header: Header): number {
  const { initializeParams, initializeResult, tools, resources, resourceTemplates, prompts, index } = header;
  const lists = [...tools.map(([, length]) => length), ...resources, ...resourceTemplates, ...prompts];
  return lists.reduce((sum, length) => sum + length, initializeParams + initializeResult + index);
}

/** A tool whose definition stays bytes until somebody reads it: a session looks at few of thousands. */
class CachedTool implements CatalogTool {
  readonly server: string;
  readonly name: string;
  readonly #bytes: Buffer;

  constructor(server: string, name: string, bytes: Buffer) {
    this.server = server;
    this.name = name;
    this.#bytes = bytes;
  }

  get definition(): string {
    return this.#bytes.toString('utf8');
  }

  /** Reading thousands of definitions whole would cost more than it tells. */
  looksLikeObject(): boolean {
    return this.#bytes.at(0) === OPEN_BRACE && this.#bytes.at(-1) === CLOSE_BRACE;
  }
}

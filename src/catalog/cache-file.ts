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
  const header = JSON.parse(rest.toString('utf8', 0, headerEnd)) as Header;
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
  return { snapshot, readAt: header.readAt, initializeParams };
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
}

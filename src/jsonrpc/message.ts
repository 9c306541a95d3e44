import { type Chunk, type Edit, splice } from '../json/splice.ts';
import type { Frame } from './frame.ts';

/** What a message is about, as its writer knows it. Ids are JSON text, as the receiver of the message knows them. */
export type About = {
  /** The frame and the changes to it that the message was made of; missing where it was written anew. */
  readonly source?: Source | undefined;
} & (
  | {
      readonly kind: 'request';
      readonly id: string;
      readonly method: string;
      /** The request of the receiver in whose course this one is made, where that is known. */
      readonly relatedRequest?: string | undefined;
    }
  | {
      readonly kind: 'notification';
      readonly method: string;
      /** The request that it reports on or withdraws. */
      readonly relatedRequest?: string | undefined;
    }
  | { readonly kind: 'response'; readonly id: string }
);

export interface Source {
  readonly frame: Frame;
  readonly edits: readonly Edit[];
}

/** A message on its way out. */
export interface Message {
  readonly chunks: readonly Chunk[];
  readonly about: About;
}

/** A message of the same text as its source but for the edits. */
export function rewritten(about: About & { readonly source: Source }): Message {
  const { frame, edits } = about.source;
  return { chunks: splice(frame.bytes, edits), about };
}

/** @param params JSON text */
export function writeRequest(id: string, method: string, params: string | undefined): Message {
  const rest = params === undefined ? '' : `,"params":${params}`;
  return {
    chunks: [`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${rest}}`],
    about: { kind: 'request', id, method },
  };
}

/** @param params JSON text */
export function writeNotification(method: string, params?: string, relatedRequest?: string): Message {
  const rest = params === undefined ? '' : `,"params":${params}`;
  return {
    chunks: [`{"jsonrpc":"2.0","method":${JSON.stringify(method)}${rest}}`],
    about: { kind: 'notification', method, relatedRequest },
  };
}

/** @param result JSON text, in pieces */
export function writeResult(id: string, result: readonly Chunk[]): Message {
  return {
    chunks: [`{"jsonrpc":"2.0","id":${id},"result":`, ...result, '}'],
    about: { kind: 'response', id },
  };
}

export function writeError(id: string, code: number, message: string, data?: unknown): Message {
  const error = JSON.stringify({ code, message, ...(data === undefined ? {} : { data }) });
  return { chunks: [`{"jsonrpc":"2.0","id":${id},"error":${error}}`], about: { kind: 'response', id } };
}

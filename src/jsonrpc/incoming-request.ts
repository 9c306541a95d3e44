import type { Span } from '../json/scan.ts';
import { type Chunk, splice } from '../json/splice.ts';
import { type Frame, idOf } from './frame.ts';

/** JSON-RPC error codes we answer with ourselves. */
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** A request the other side waits on. It is answered at most once; a cancelled one is not answered at all. */
export class IncomingRequest {
  readonly frame: Frame;
  /** Called when the other side withdraws the request, with the notification that says so (none if it left). */
  oncancel: ((notification: Frame | undefined) => void) | undefined;
  readonly #send: (message: readonly Chunk[]) => void;
  readonly #settled: () => void;
  #open = true;

  constructor(frame: Frame, send: (message: readonly Chunk[]) => void, settled: () => void) {
    this.frame = frame;
    this.#send = send;
    this.#settled = settled;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Hands on an answer as it came, under the id this request was sent with. */
  answerWith(answer: Frame): void {
    this.#settle(splice(answer.bytes, [{ span: answer.id as Span, text: idOf(this.frame) }]));
  }

  /** @param result JSON text, in pieces */
  result(...result: Chunk[]): void {
    this.#settle([`{"jsonrpc":"2.0","id":${idOf(this.frame)},"result":`, ...result, '}']);
  }

  error(code: number, message: string, data?: unknown): void {
    const error = JSON.stringify({ code, message, ...(data === undefined ? {} : { data }) });
    this.#settle([`{"jsonrpc":"2.0","id":${idOf(this.frame)},"error":${error}}`]);
  }

  /** For the peer: the other side no longer wants an answer. */
  cancel(notification: Frame | undefined): void {
    if (!this.#open) return;
    this.#open = false;
    this.#settled();
    this.oncancel?.(notification);
  }

  #settle(message: readonly Chunk[]): void {
    if (!this.#open) return;
    this.#open = false;
    this.#settled();
    this.#send(message);
  }
}

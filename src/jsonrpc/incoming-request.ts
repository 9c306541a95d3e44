import { type Chunk, splice } from '../json/splice.ts';
import { idOf, type NotificationFrame, type RequestFrame, type ResponseFrame } from './frame.ts';
import { type Message, rewritten, writeError, writeResult } from './message.ts';

/** Whoever received a request. */
export interface Receiver {
  answer(message: Message): void;
  /** It is answered, or nobody waits for that any more. */
  settled(request: IncomingRequest): void;
}

/** A request the other side waits on. It is answered at most once; a cancelled one is not answered at all. */
export class IncomingRequest {
  readonly frame: RequestFrame;
  /** Its id, JSON text. */
  readonly id: string;
  /** Called when the other side withdraws the request, with the notification that says so (none if it left). */
  oncancel: ((notification: NotificationFrame | undefined) => void) | undefined;
  readonly #receiver: Receiver;
  #open = true;

  constructor(frame: RequestFrame, receiver: Receiver) {
    this.frame = frame;
    this.id = idOf(frame);
    this.#receiver = receiver;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Hands on an answer as it came, under the id this request was sent with. */
  answerWith(answer: ResponseFrame): void {
    const { id } = this;
    if (answer.id !== undefined) {
      const source = { frame: answer, edits: [{ span: answer.id, text: id }] };
      this.#settle(rewritten({ kind: 'response', id, source }));
      return;
    }
    const at = answer.bytes.indexOf('{') + 1;
    const chunks = splice(answer.bytes, [{ span: { start: at, end: at }, text: `"id":${id},` }]);
    this.#settle({ chunks, about: { kind: 'response', id } });
  }

  /** @param result JSON text, in pieces */
  result(...result: Chunk[]): void {
    this.#settle(writeResult(this.id, result));
  }

  error(code: number, message: string, data?: unknown): void {
    this.#settle(writeError(this.id, code, message, data));
  }

  /** For the peer: the other side no longer wants an answer. */
  cancel(notification: NotificationFrame | undefined): void {
    if (!this.#open) return;
    this.#open = false;
    this.#receiver.settled(this);
    this.oncancel?.(notification);
  }

  #settle(message: Message): void {
    if (!this.#open) return;
    this.#open = false;
    this.#receiver.settled(this);
    this.#receiver.answer(message);
  }
}

import { asExit, ToolsiftError, tooLarge } from '../errors.ts';
import type { Edit } from '../json/splice.ts';
import { INTERNAL_ERROR, INVALID_REQUEST } from '../mcp/error-codes.ts';
import { CANCELLED, INITIALIZE, PROGRESS } from '../mcp/methods.ts';
import {
  at,
  type Frame,
  idOf,
  type NotificationFrame,
  type RequestFrame,
  type ResponseFrame,
  textOf,
} from './frame.ts';
import { IncomingRequest, type Receiver } from './incoming-request.ts';
import type { Link, LinkFault } from './link.ts';
import { type Message, rewritten, writeError, writeNotification, writeRequest } from './message.ts';
import type { OutgoingRequest, SendOptions, TextKinds } from './outgoing-request.ts';
import { OutgoingRequests } from './outgoing-requests.ts';
import { StrayAnswers } from './stray-answers.ts';

const EMPTY_ANSWER = 'the answer has neither a result nor an error';

export interface PeerHandlers {
  readonly onrequest: (request: IncomingRequest) => void;
  readonly onnotification: (frame: NotificationFrame) => void;
  readonly onclose: (reason: Error) => void;
  readonly onfault: (fault: LinkFault) => void;
}

/**
 * One end of a JSON-RPC conversation: gives requests ids of its own, matches answers and progress to them, and
 * keeps track of the requests it has to answer. Late, doubled and stray answers are dropped.
 */
export class Peer {
  readonly #link: Link;
  readonly #handlers: PeerHandlers;
  readonly #outgoing = new OutgoingRequests();
  readonly #strays = new StrayAnswers(this.#outgoing);
  readonly #incoming = new Map<string, IncomingRequest>();
  #received = 0;
  /** Told of each request of the other side that is over. */
  readonly #waits = new Set<(over: IncomingRequest) => void>();
  readonly #receiver: Receiver = {
    answer: (message) => this.#send(message),
    settled: (request) => {
      if (this.#incoming.get(request.id) === request) this.#incoming.delete(request.id);
      for (const wait of this.#waits) wait(request);
    },
  };
  #closeReason: Error | undefined;

  constructor(link: Link, handlers: PeerHandlers) {
    this.#link = link;
    this.#handlers = handlers;
  }

  get isClosed(): boolean {
    return this.#closeReason !== undefined;
  }

  get openRequests(): number {
    return this.#outgoing.size;
  }

  /** Requests sent so far. */
  get sentRequests(): number {
    return this.#outgoing.count;
  }

  start(): Promise<void> {
    return this.#link.start({
      onframe: (frame) => this.#receiveSafely(frame),
      onfault: (fault) => this.#fault(fault),
      onclose: (reason) => this.#close(reason),
    });
  }

  /** @param reason what requests that are still out are told; without one, how the link ended */
  close(reason?: ToolsiftError): Promise<void> {
    if (reason !== undefined) this.#outgoing.loseAll(reason);
    return this.#link.close();
  }

  /** @param relatedRequest the request of the other side that this reports on, where there is one */
  notify(method: string, params?: string, relatedRequest?: string): void {
    this.#send(writeNotification(method, params, relatedRequest));
  }

  /** Sends a notification of another peer on, with edits. */
  notifyWith(frame: NotificationFrame, edits: readonly Edit[] = [], relatedRequest?: string): void {
    const { method } = frame;
    this.#send(rewritten({ kind: 'notification', method, relatedRequest, source: { frame, edits } }));
  }

  /** Answers what is no request that could be handled; @param id JSON text */
  refuse(id: string, code: number, message: string): void {
    this.#send(writeError(id, code, message));
  }

  /** Requests of the other side so far. */
  get receivedRequests(): number {
    return this.#received;
  }

  /** Resolves when the requests of the other side that are open now have been answered or withdrawn. */
  untilAnswered(): Promise<void> {
    const open = new Set(this.#incoming.values());
    if (open.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const wait = (over: IncomingRequest) => {
        open.delete(over);
        if (open.size > 0) return;
        this.#waits.delete(wait);
        resolve();
      };
      this.#waits.add(wait);
    });
  }

  /** A request of our own. Resolves with the answer, be it a result or an error. */
  request(method: string, params?: string, signal?: AbortSignal): Promise<ResponseFrame> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const abort = () => {
        // The protocol forbids to cancel this one; whoever breaks it off closes the link.
        if (method === INITIALIZE) outgoing.forget();
        else outgoing.cancel();
        reject(signal?.reason);
      };
      const outgoing = this.send((id) => writeRequest(id, method, params), {
        onover: () => signal?.removeEventListener('abort', abort),
        onanswer: resolve,
        onlost: reject,
      });
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** Sends a request that `write` makes, given the id and the progress token to put into it, as JSON text. */
  send(
    write: (id: string, token: string) => Message,
    options: SendOptions,
    { isIdString = false, isTokenString = false }: TextKinds = {},
  ): OutgoingRequest {
    const number = this.#outgoing.nextNumber();
    const id = isIdString ? `"${number}"` : number;
    const token = isTokenString ? `"${number}"` : number;
    if (this.#closeReason !== undefined) {
      options.onlost(asExit(this.#closeReason));
      return { id, cancel: () => {}, forget: () => {} };
    }
    const message = write(id, token);
    const method = message.about.kind === 'request' ? message.about.method : '';
    this.#outgoing.add({ number, id, token, method, options });
    this.#send(message);
    return {
      id,
      forget: () => void this.#outgoing.forget(number),
      cancel: (reason) => {
        if (!this.#outgoing.forget(number)) return;
        const rest = reason === undefined ? '' : `,"reason":${JSON.stringify(reason)}`;
        this.notify(CANCELLED, `{"requestId":${id}${rest}}`, id);
      },
    };
  }

  #send({ chunks, about }: Message): void {
    this.#link.send(chunks, about);
  }

  /** What one message does to us must not cost the other conversations of this process. */
  #receiveSafely(frame: Frame): void {
    try {
      this.#receive(frame);
    } catch (error) {
      this.#handlers.onfault({ kind: 'bug', error });
      if (frame.kind !== 'request') return;
      const request = this.#incoming.get(idOf(frame));
      request?.error(INTERNAL_ERROR, 'internal error of toolsift; see its log on stderr');
    }
  }

  #receive(frame: Frame): void {
    if (frame.kind === 'response') this.#receiveAnswer(frame);
    else if (frame.kind === 'request') this.#receiveRequest(frame);
    else if (frame.method === PROGRESS) this.#receiveProgress(frame);
    else if (frame.method === CANCELLED) this.#receiveCancelled(frame);
    else this.#handlers.onnotification(frame);
  }

  #receiveAnswer(frame: ResponseFrame): void {
    const id = idOf(frame);
    const request = this.#outgoing.take(id);
    if (request === undefined) {
      if (!this.#outgoing.wasTaken(id)) this.#strays.receive(frame);
    } else if (frame.result !== undefined || frame.error !== undefined) request.options.onanswer(frame);
    else request.options.onlost(new ToolsiftError('upstream_invalid_message', EMPTY_ANSWER));
  }

  #receiveRequest(frame: RequestFrame): void {
    const request = new IncomingRequest(frame, this.#receiver);
    this.#received++;
    this.#incoming.set(request.id, request);
    this.#handlers.onrequest(request);
  }

  #receiveProgress(frame: NotificationFrame): void {
    const token = at(frame, 'params', 'progressToken');
    if (token === undefined) return;
    this.#outgoing.withToken(textOf(frame, token))?.options.onprogress?.(frame, token);
  }

  #receiveCancelled(frame: NotificationFrame): void {
    const id = at(frame, 'params', 'requestId');
    if (id !== undefined) this.#incoming.get(textOf(frame, id))?.cancel(frame);
  }

  #fault(fault: LinkFault): void {
    if (fault.kind === 'lost') this.#outgoing.take(fault.id)?.options.onlost(fault.error);
    if (fault.kind === 'oversize' && fault.id !== undefined) this.#refuseOversize(fault, fault.id);
    this.#handlers.onfault(fault);
  }

  #refuseOversize({ bytes, limit, of }: LinkFault & { kind: 'oversize' }, id: string): void {
    const error = tooLarge(bytes, limit);
    if (of === 'response') this.#outgoing.take(id)?.options.onlost(error);
    else this.refuse(id, INVALID_REQUEST, error.message);
  }

  #close(reason: Error): void {
    this.#closeReason = reason;
    const incoming = [...this.#incoming.values()];
    this.#outgoing.loseAll(asExit(reason));
    for (const request of incoming) request.cancel(undefined);
    this.#handlers.onclose(reason);
  }
}

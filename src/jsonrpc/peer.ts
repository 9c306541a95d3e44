import { ToolsiftError } from '../errors.ts';
import { type Chunk, type Edit, splice } from '../json/splice.ts';
import { type Frame, idOf, memberOf, membersOf, textOf } from './frame.ts';
import { INTERNAL_ERROR, INVALID_REQUEST, IncomingRequest } from './incoming-request.ts';
import type { Link, LinkFault } from './link.ts';
import type { OutgoingRequest, SendOptions, TextKinds } from './outgoing-request.ts';

const EMPTY_ANSWER = 'the answer has neither a result nor an error';

/** A request that is out: by which id and which token the other side speaks of it. */
interface Outgoing {
  readonly id: string;
  readonly token: string;
  readonly options: SendOptions;
}

export interface PeerHandlers {
  readonly onrequest: (request: IncomingRequest) => void;
  readonly onnotification: (frame: Frame) => void;
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
  readonly #outgoing = new Map<string, Outgoing>();
  readonly #incoming = new Map<string, IncomingRequest>();
  #lastId = 0;
  #closeReason: Error | undefined;

  constructor(link: Link, handlers: PeerHandlers) {
    this.#link = link;
    this.#handlers = handlers;
    link.onframe = (frame) => this.#receiveSafely(frame);
    link.onfault = (fault) => this.#fault(fault);
    link.onclose = (reason) => this.#close(reason);
  }

  get isClosed(): boolean {
    return this.#closeReason !== undefined;
  }

  get openRequests(): number {
    return this.#outgoing.size;
  }

  /** Requests sent so far. */
  get sentRequests(): number {
    return this.#lastId;
  }

  start(): Promise<void> {
    return this.#link.start();
  }

  /** @param reason what requests that are still out are told; without one, how the link ended */
  close(reason?: ToolsiftError): Promise<void> {
    if (reason !== undefined) this.#loseAll(reason);
    return this.#link.close();
  }

  notify(method: string, params?: string): void {
    this.#link.send([
      `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${params === undefined ? '' : `,"params":${params}`}}`,
    ]);
  }

  /** Sends a frame of another peer on, with edits. */
  notifyWith(frame: Frame, edits: readonly Edit[] = []): void {
    this.#link.send(splice(frame.bytes, edits));
  }

  /** A request of our own. Resolves with the answer, be it a result or an error. */
  request(method: string, params?: string, signal?: AbortSignal): Promise<Frame> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const abort = () => {
        // The protocol forbids to cancel this one; whoever breaks it off closes the link.
        if (method === 'initialize') outgoing.forget();
        else outgoing.cancel();
        reject(signal?.reason);
      };
      const settle = () => signal?.removeEventListener('abort', abort);
      const outgoing = this.send(
        (id) => [
          `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${params === undefined ? '' : `,"params":${params}`}}`,
        ],
        {
          onanswer: (answer) => {
            settle();
            resolve(answer);
          },
          onlost: (reason) => {
            settle();
            reject(reason);
          },
        },
      );
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /**
   * Sends a request whose text `write` makes, given the id and the progress token to put into it, as JSON text.
   */
  send(
    write: (id: string, token: string) => readonly Chunk[],
    options: SendOptions,
    { isIdString = false, isTokenString = false }: TextKinds = {},
  ): OutgoingRequest {
    const number = String(++this.#lastId);
    const id = isIdString ? `"${number}"` : number;
    const token = isTokenString ? `"${number}"` : number;
    if (this.#closeReason !== undefined) {
      options.onlost(lost(this.#closeReason));
      return { cancel: () => {}, forget: () => {} };
    }
    this.#outgoing.set(number, { id, token, options });
    this.#link.send(write(id, token));
    return {
      forget: () => void this.#outgoing.delete(number),
      cancel: (reason) => {
        if (!this.#outgoing.delete(number)) return;
        const rest = reason === undefined ? '' : `,"reason":${JSON.stringify(reason)}`;
        this.notify('notifications/cancelled', `{"requestId":${id}${rest}}`);
      },
    };
  }

  /** What one message does to us must not cost the other conversations of this process. */
  #receiveSafely(frame: Frame): void {
    try {
      this.#receive(frame);
    } catch (error) {
      this.#handlers.onfault({ kind: 'bug', error });
      this.#incoming
        .get(idOf(frame))
        ?.error(INTERNAL_ERROR, 'internal error of toolsift; see its log on stderr');
    }
  }

  #receive(frame: Frame): void {
    if (frame.kind === 'response') this.#receiveAnswer(frame);
    else if (frame.kind === 'request') this.#receiveRequest(frame);
    else if (frame.method === 'notifications/progress') this.#receiveProgress(frame);
    else if (frame.method === 'notifications/cancelled') this.#receiveCancelled(frame);
    else this.#handlers.onnotification(frame);
  }

  #receiveAnswer(frame: Frame): void {
    const request = this.#take(idOf(frame));
    if (frame.result !== undefined || frame.error !== undefined) request?.options.onanswer(frame);
    else request?.options.onlost(new ToolsiftError('upstream_invalid_message', EMPTY_ANSWER));
  }

  #receiveRequest(frame: Frame): void {
    const id = idOf(frame);
    const request = new IncomingRequest(
      frame,
      (message) => this.#link.send(message),
      () => {
        if (this.#incoming.get(id) === request) this.#incoming.delete(id);
      },
    );
    this.#incoming.set(id, request);
    this.#handlers.onrequest(request);
  }

  #receiveProgress(frame: Frame): void {
    const token = memberOf(membersOf(frame, frame.params), 'progressToken');
    if (token === undefined) return;
    const text = textOf(frame, token);
    const request = this.#outgoing.get(numberIn(text));
    if (request?.token === text) request.options.onprogress?.(frame, token);
  }

  #receiveCancelled(frame: Frame): void {
    const id = memberOf(membersOf(frame, frame.params), 'requestId');
    if (id !== undefined) this.#incoming.get(textOf(frame, id))?.cancel(frame);
  }

  #fault(fault: LinkFault): void {
    if (fault.kind === 'lost') this.#take(fault.id)?.options.onlost(fault.error);
    if (fault.kind === 'oversize' && fault.id !== undefined) this.#refuseOversize(fault, fault.id);
    this.#handlers.onfault(fault);
  }

  #refuseOversize({ bytes, limit, of }: LinkFault & { kind: 'oversize' }, id: string): void {
    const text = `the message has ${bytes} bytes, more than the limit of ${limit}; raise "maxMessageBytes" or ask for less`;
    if (of === 'response') {
      this.#take(id)?.options.onlost(new ToolsiftError('message_too_large', text));
    } else {
      const error = JSON.stringify({ code: INVALID_REQUEST, message: text });
      this.#link.send([`{"jsonrpc":"2.0","id":${id},"error":${error}}`]);
    }
  }

  /** The request that an answer with this id is for; there is no second answer to it. */
  #take(id: string): Outgoing | undefined {
    const number = numberIn(id);
    const request = this.#outgoing.get(number);
    if (request?.id !== id) return undefined;
    this.#outgoing.delete(number);
    return request;
  }

  #close(reason: Error): void {
    this.#closeReason = reason;
    const incoming = [...this.#incoming.values()];
    this.#loseAll(lost(reason));
    for (const request of incoming) request.cancel(undefined);
    this.#handlers.onclose(reason);
  }

  #loseAll(reason: ToolsiftError): void {
    const outgoing = [...this.#outgoing.values()];
    this.#outgoing.clear();
    for (const { options } of outgoing) options.onlost(reason);
  }
}

/** The number of a request in its id or token, which may be a JSON string. */
function numberIn(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1) : text;
}

function lost(reason: Error): ToolsiftError {
  return reason instanceof ToolsiftError
    ? reason
    : new ToolsiftError('upstream_exited', `the connection ended: ${reason.message}`, { cause: reason });
}

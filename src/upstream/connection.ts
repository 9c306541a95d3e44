import { asExit, ToolsiftError } from '../errors.ts';
import { type NotificationFrame, type ResponseFrame, textOf, valueAt } from '../jsonrpc/frame.ts';
import type { LinkFault } from '../jsonrpc/link.ts';
import { Peer } from '../jsonrpc/peer.ts';
import { capabilityNames } from '../mcp/capabilities.ts';
import { INITIALIZE, INITIALIZED, PING } from '../mcp/methods.ts';
import { Hub, type HubMember } from './hub/hub.ts';
import type { ServerLink } from './link-options.ts';
import { listAll } from './lists/list-all.ts';
import { ListBudget } from './lists/list-budget.ts';

/** For lists that are passed on and not kept. */
const PASSED_ON_LIMITS = { maxListBytes: 64 * 1024 * 1024, maxListItems: 100_000 };

export interface ConnectionHandlers {
  readonly onnotification: (frame: NotificationFrame) => void;
  readonly onfault: (fault: LinkFault) => void;
  /** The connection ended, whoever ended it; called once, and only after a completed handshake. */
  readonly onclose: (reason: ToolsiftError) => void;
}

export interface OpenOptions {
  readonly link: ServerLink;
  /** The `params` of `initialize`, as JSON text. */
  readonly initializeParams: string;
  readonly handlers: ConnectionHandlers;
  /** Those whom what the upstream asks and tells is handed to; they may come and go. */
  readonly members: ReadonlySet<HubMember>;
  /** What may be shown of something the upstream wrote. */
  readonly quote: (text: string) => string;
  readonly signal: AbortSignal;
}

/** One live connection with an upstream, from handshake to close. It never retries; only a supervisor does. */
export interface Connection {
  readonly peer: Peer;
  /** By way of which the members use it. */
  readonly hub: Hub;
  /** The `params` of `initialize` that it was opened with. */
  readonly initializeParams: string;
  /** The result of `initialize`, as the upstream wrote it. */
  readonly initializeResult: string;
  /** Names of the capabilities it declared, e.g. `tools`, `logging`. */
  readonly capabilities: ReadonlySet<string>;
  /** Whether closing it would end a server that other processes use too. */
  readonly isUsedByOthers: boolean;
  /** All items of a paginated list, each as the JSON text the upstream wrote. */
  listAll(method: string, key: string): Promise<string[]>;
  /** @param reason what calls in flight are told, and why it ended; without one, how the link ended */
  close(reason?: ToolsiftError): Promise<void>;
}

/**
 * Opens a link and shakes hands over it.
 *
 * @throws ToolsiftError when the upstream cannot be started, ends, refuses, or `signal` fires first; nothing of it
 *   is left then
 */
export async function openConnection(options: OpenOptions): Promise<Connection> {
  const { link, handlers, signal } = options;
  let isOpen = false;
  let closeReason: ToolsiftError | undefined;
  const peer = new Peer(link, {
    onrequest: (request) => {
      if (request.frame.method === PING) request.result('{}');
      else hub.asked(request);
    },
    onnotification: (frame) => {
      handlers.onnotification(frame);
      hub.told(frame);
    },
    onfault: handlers.onfault,
    onclose: (reason) => {
      if (isOpen) handlers.onclose(closeReason ?? asExit(reason));
    },
  });
  const hub = new Hub(peer, options.members);
  try {
    await untilAborted(peer.start(), signal);
    const answer = await peer.request(INITIALIZE, options.initializeParams, signal);
    if (answer.result === undefined) throw refusal(answer, options.quote);
    peer.notify(INITIALIZED);
    isOpen = true;
    return {
      peer,
      hub,
      initializeParams: options.initializeParams,
      initializeResult: textOf(answer, answer.result),
      capabilities: capabilityNames(valueAt(answer, 'result')),
      get isUsedByOthers() {
        return link.isUsedByOthers ?? false;
      },
      listAll: (method, key) => listAll(peer, method, key, { budget: new ListBudget(PASSED_ON_LIMITS) }),
      close: (reason) => {
        closeReason ??= reason;
        return peer.close(reason);
      },
    };
  } catch (error) {
    await peer.close();
    throw error;
  }
}

/** @throws the reason of the signal once it fires */
async function untilAborted(starting: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    stop = () => signal.removeEventListener('abort', abort);
  });
  await Promise.race([starting, aborted]).finally(stop);
}

function refusal(answer: ResponseFrame, quote: (text: string) => string): ToolsiftError {
  const { code, message } = (valueAt(answer, 'error') ?? {}) as { code?: unknown; message?: unknown };
  return new ToolsiftError(
    'upstream_start_failed',
    `answered initialize with error ${quote(String(code))}: ${quote(String(message))}`,
  );
}

import { type ErrorCode, type ErrorFacts, ToolsiftError } from '../../errors.ts';
import { type Frame, type NotificationFrame, parsePart } from '../../jsonrpc/frame.ts';
import type { Link } from '../../jsonrpc/link.ts';

/** Goes into the socket's name: processes that speak another form of what is below never meet. */
export const CONTROL_VERSION = 1;

/**
 * What a process at its socket is to others: a `candidate` for running the server; elected to run it but `busy`
 * starting or stopping it; or `open` to sessions.
 */
export type OwnerState = 'candidate' | 'busy' | 'open';

/** What the owner says to a session besides the server's own messages. */
export type Control =
  | { readonly kind: 'state'; readonly state: OwnerState; readonly pid: number }
  /** The request with this id (JSON text) gets no answer. */
  | { readonly kind: 'lost'; readonly id: string; readonly error: ToolsiftError }
  /** Nothing follows. */
  | { readonly kind: 'closed'; readonly error: ToolsiftError };

const PREFIX = 'notifications/toolsift.share/';

export function sendControl(link: Link, { kind, ...params }: Control): void {
  const method = `${PREFIX}${kind}`;
  const text = JSON.stringify({ jsonrpc: '2.0', method, params }, (_key, value: unknown) =>
    value instanceof ToolsiftError ? { code: value.code, message: value.message, facts: value.facts } : value,
  );
  link.send([text], { kind: 'notification', method });
}

/** Servers have no business with these; what one sends under such a name is not handed on. */
export function isControl(frame: Frame): frame is NotificationFrame {
  return frame.kind === 'notification' && frame.method.startsWith(PREFIX);
}

/** The control message that a frame is, if it is one. */
export function readControl(frame: Frame): Control | undefined {
  if (!isControl(frame)) return undefined;
  const kind = frame.method.slice(PREFIX.length);
  // Both ends are of this version, which is part of the name they met under.
  const params = parsePart(frame, frame.params) as {
    state: OwnerState;
    pid: number;
    id: string;
    error: Wire;
  };
  if (kind === 'state') return { kind, state: params.state, pid: params.pid };
  if (kind === 'lost') return { kind, id: params.id, error: fromWire(params.error) };
  if (kind === 'closed') return { kind, error: fromWire(params.error) };
  return undefined;
}

interface Wire {
  readonly code: ErrorCode;
  readonly message: string;
  readonly facts: ErrorFacts;
}

function fromWire({ code, message, facts }: Wire): ToolsiftError {
  return new ToolsiftError(code, message, { facts });
}

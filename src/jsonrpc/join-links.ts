import type { ToolsiftError } from '../errors.ts';
import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR } from '../mcp/error-codes.ts';
import { type Frame, idOf } from './frame.ts';
import type { Link, LinkFault } from './link.ts';
import { type About, type Message, rewritten, writeError } from './message.ts';

export interface JoinOptions {
  /** The link to the client. */
  readonly client: Link;
  /** The link to the server. */
  readonly server: Link;
  /** What went wrong that nobody is told of otherwise. */
  readonly onfault: (fault: LinkFault, side: 'client' | 'server') => void;
}

/**
 * Joins two links: every message goes on as it came, ids included. A request that gets lost is answered with an error.
 *
 * @returns why it ended, once either side has
 */
export async function joinLinks({ client, server, onfault }: JoinOptions): Promise<Error> {
  const send = (to: Link, { chunks, about }: Message) => to.send(chunks, about);
  let end: (reason: Error) => void = () => {};
  const ended = new Promise<Error>((resolve) => {
    end = resolve;
  });
  const handlers = (from: Link, to: Link, side: 'client' | 'server') => ({
    onframe: (frame: Frame) => send(to, rewritten({ ...aboutOf(frame), source: { frame, edits: [] } })),
    onfault: (fault: LinkFault) => {
      // What one side cannot answer any more, or be sent, the other one waits for.
      if (fault.kind === 'lost') send(to, writeError(fault.id, INTERNAL_ERROR, lostText(fault.error)));
      if (fault.kind === 'junk' && !fault.isAnswer && side === 'client') send(from, refusalOf(fault));
      onfault(fault, side);
    },
    onclose: end,
  });
  await server.start(handlers(server, client, 'server'));
  await client.start(handlers(client, server, 'client'));
  return ended;
}

function aboutOf(frame: Frame): About {
  if (frame.kind === 'notification') return { kind: 'notification', method: frame.method };
  if (frame.kind === 'request') return { kind: 'request', id: idOf(frame), method: frame.method };
  return { kind: 'response', id: idOf(frame) };
}

function refusalOf({ isJson, id }: { readonly isJson: boolean; readonly id: string | undefined }): Message {
  return isJson
    ? writeError(id ?? 'null', INVALID_REQUEST, 'Invalid Request: no JSON-RPC 2.0 message')
    : writeError('null', PARSE_ERROR, 'Parse error: the line is no JSON');
}

function lostText({ message }: ToolsiftError): string {
  return `the other side ${message}`;
}

import { vi } from 'vitest';
import type { ToolsiftError } from '../../src/errors.ts';
import type { Span } from '../../src/json/scan.ts';
import { textOf } from '../../src/jsonrpc/frame.ts';
import type { IncomingRequest } from '../../src/jsonrpc/incoming-request.ts';
import type { Peer } from '../../src/jsonrpc/peer.ts';
import { messageOf, peerOn, TestLink } from './messages.ts';

/** A peer on a link the test speaks through, and all that it hears. */
export function openPeer() {
  const link = new TestLink();
  const requests: IncomingRequest[] = [];
  const onclose = vi.fn<(reason: Error) => void>();
  const onfault = vi.fn();
  const notifications: string[] = [];
  const peer = peerOn(link, {
    onrequest: (request) => requests.push(request),
    onnotification: (frame) => notifications.push(frame.method),
    onclose,
    onfault,
  });
  return { link, peer, requests, notifications, onclose, onfault };
}

export const resultOf = (id: string, result = '{}') => `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
export const requestOf = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"ask"}`;

/** Sends a request and keeps whatever becomes of it. */
export function send(peer: Peer, asString = false) {
  const fate = { answers: [] as string[], lost: [] as ToolsiftError[], progress: [] as string[] };
  const outgoing = peer.send(
    (id) => messageOf(requestOf(id)),
    {
      onanswer: (answer) => fate.answers.push(textOf(answer, answer.result as Span)),
      onlost: (reason) => fate.lost.push(reason),
      onprogress: (frame, token) => fate.progress.push(textOf(frame, token)),
    },
    { isIdString: asString, isTokenString: asString },
  );
  return { fate, outgoing };
}

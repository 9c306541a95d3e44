import { capabilityNames } from '../mcp/capabilities.ts';
import { PING } from '../mcp/methods.ts';
import type { Connection } from './connection.ts';

/** A server, or a client, that takes longer than this to be introduced is used all the same. */
export const INTRODUCTION_MS = 2000;
/** What a client may declare that a server can ask it for. */
const ASKED_FOR = ['roots', 'sampling', 'elicitation'];

/** A server that goes on asking after so many rounds is at work, not being introduced. */
const MAX_ROUNDS = 3;

/**
 * Waits until a server that has just been told that it is initialized knows what it wants to know of its client.
 *
 * Many ask for the client's roots then, and work by them. Where a client starts its servers itself, the answer is
 * there long before anybody thinks of a call; a server that is started by a call would get that call first. A ping
 * follows the notification: by the time it is answered the server has asked. Once it has its answer another ping sees
 * to it that it has read it. So a start costs one round trip, with a question two and the client's own time, and for
 * clients that can be asked nothing none; bounded.
 */
export async function untilIntroduced({ peer, initializeParams }: Connection): Promise<void> {
  const declared = capabilityNames(JSON.parse(initializeParams));
  if (!ASKED_FOR.some((capability) => declared.has(capability))) return;
  const timeout = AbortSignal.timeout(INTRODUCTION_MS);
  const late = new Promise<void>((resolve) => {
    timeout.addEventListener('abort', () => resolve(), { once: true });
  });
  for (let round = 0; round < MAX_ROUNDS && !timeout.aborted && !peer.isClosed; round++) {
    const before = peer.receivedRequests;
    // Whether it knows the method does not matter, and whoever ends the connection says so elsewhere.
    await peer.request(PING, undefined, timeout).catch(() => {});
    if (peer.receivedRequests === before) return;
    await Promise.race([peer.untilAnswered(), late]);
  }
}

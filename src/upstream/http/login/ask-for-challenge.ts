import type { HttpAgents } from '../agents.ts';
import { discard } from '../body.ts';
import { sendWithinOrigin } from '../redirects.ts';
import type { HttpTarget } from '../target.ts';
import { type Challenge, readChallenge } from './challenge.ts';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** How a server refuses those who have not logged in: that is where it says who lets people in. */
export async function askForChallenge(
  target: HttpTarget,
  agents: HttpAgents,
  signal: AbortSignal,
): Promise<Challenge> {
  const { url } = target;
  const accept = 'application/json, text/event-stream';
  const posted = new Headers(target.headers);
  posted.set('content-type', 'application/json');
  posted.set('accept', accept);
  const answer = await sendWithinOrigin(
    { method: 'POST', url, headers: posted, body: [PING], signal },
    agents,
  );
  discard(answer.body);
  if (answer.status === 401) return readChallenge(answer.status, answer.headers['www-authenticate']);
  // Servers of the older transport are asked for a stream first.
  const asked = new Headers(target.headers);
  asked.set('accept', 'text/event-stream');
  const stream = await sendWithinOrigin({ method: 'GET', url, headers: asked, body: [], signal }, agents);
  stream.body.on('error', () => {}).destroy();
  return readChallenge(stream.status, stream.headers['www-authenticate']);
}

import { progressTokenOf } from '../jsonrpc/forward-request.ts';
import { textOf } from '../jsonrpc/frame.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Peer } from '../jsonrpc/peer.ts';
import { PROGRESS } from '../mcp/methods.ts';
import type { UpstreamView } from './upstream-view.ts';

/** Some hosts give a call up after a minute without progress; a server's first start can take longer. */
const NOTICE_EVERY_MS = 5000;
/** Progress must grow, and the server's own begins after ours: ours stays close to zero. */
const STEP = 0.0001;

/** While a server starts for a call, tells the client so, where it asked for progress. */
export async function withStartNotices<Result>(
  { request, client, server }: { request: IncomingRequest; client: Peer; server: string },
  starting: Promise<Result>,
): Promise<Result> {
  const token = progressTokenOf(request.frame);
  if (token === undefined) return starting;
  const tokenText = textOf(request.frame, token);
  let notices = 0;
  const timer = setInterval(() => {
    if (!request.isOpen) return;
    const rest = JSON.stringify({ progress: STEP * ++notices, message: `starting server "${server}"` }).slice(
      1,
    );
    client.notify(PROGRESS, `{"progressToken":${tokenText},${rest}`, request.id);
  }, NOTICE_EVERY_MS);
  try {
    return await starting;
  } finally {
    clearInterval(timer);
  }
}

/** Starts a server and waits until its lists are known, once it is up no longer than `maxMs`. */
export async function untilListed(upstream: UpstreamView, maxMs: number): Promise<void> {
  await upstream.acquire();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxMs);
  });
  await Promise.race([upstream.untilListsRead(), limit]);
  clearTimeout(timer);
}

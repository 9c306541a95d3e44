import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { errorText, ToolsiftError } from '../../errors.ts';
import { anyChanged, OwnerLink } from './owner-link.ts';
import { SocketLink } from './socket-link.ts';

/** A socket without a greeting for this long may be a dead process's. */
const GREETING_TIMEOUT_MS = 2000;
/** A living process gets this many of those: on a machine that starts many at once, it may just be slow. */
const GREETING_TRIES = 2;
const NOBODY = new Set(['ENOENT', 'ECONNREFUSED']);
/** The queue of connections is full for the moment, or whoever listened left with us in it. */
const TRY_AGAIN = new Set(['EAGAIN', 'EBUSY', 'ECONNRESET', 'EPIPE']);
const TRY_AGAIN_MS = 50;

/**
 * Connects to the IPC socket of another process and waits for it to say what it is.
 *
 * @param pid the process it belongs to, if known
 * @returns undefined when no living process listens there
 * @throws ToolsiftError `upstream_start_failed` when one does and keeps silent
 */
export async function knock(path: string, pid: number | undefined): Promise<OwnerLink | undefined> {
  const socket = await connectTo(path);
  if (socket === undefined) return undefined;
  const link = new OwnerLink(new SocketLink(socket));
  await link.listen();
  for (let tries = 0; link.state === 'silent' && tries < GREETING_TRIES; tries++) {
    await anyChanged([link], GREETING_TIMEOUT_MS);
    // If it was this process that was held up, what has arrived meanwhile is read now.
    await nextTurn();
    if (link.state === 'silent' && pid !== undefined && !isAlive(pid)) break;
  }
  if (link.state !== 'silent') return link;
  await link.close();
  if (pid !== undefined && !isAlive(pid)) return undefined;
  const who = pid === undefined ? 'the toolsift process' : `the toolsift process with pid ${pid}`;
  throw new ToolsiftError(
    'upstream_start_failed',
    `${who} that shares this server does not respond; end it, or set "share" to false`,
  );
}

async function connectTo(path: string): Promise<Socket | undefined> {
  const end = performance.now() + GREETING_TIMEOUT_MS;
  for (;;) {
    const socket = connect(path);
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      socket.once('connect', () => resolve(undefined));
      socket.once('error', resolve);
    });
    if (error === undefined) return socket;
    if (NOBODY.has(error.code ?? '')) return undefined;
    if (!TRY_AGAIN.has(error.code ?? '') || performance.now() > end) {
      throw new ToolsiftError(
        'upstream_start_failed',
        `the shared server at ${path} cannot be reached: ${errorText(error)}`,
        { cause: error },
      );
    }
    await sleep(TRY_AGAIN_MS);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

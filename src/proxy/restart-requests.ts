import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isWritableAtOnce, readRegularFile } from '../regular-file.ts';
import { watchFileChanges } from './watch-file.ts';

const FILE = 'restart-requests';
/** A file that has grown this long is begun anew; nobody reads old requests. */
const MAX_BYTES = 64 * 1024;
const MOST_READ_BYTES = 16 * MAX_BYTES;

/** Asks every running toolsift of this user to restart a server. Requests made at once do not get in each other's way. */
export function requestRestart(folder: string, server: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, FILE);
  // Whatever else stands in its place would have no readers.
  if (!isWritableAtOnce(file)) rmSync(file, { force: true, recursive: true });
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) writeFileSync(file, '');
  // The line break in front ends whatever half a line stands there.
  appendFileSync(file, `\n${JSON.stringify([server, randomUUID()])}\n`, { mode: 0o600 });
}

/** Calls back with each server somebody asks to restart from now on; the returned function ends that. */
export function watchRestartRequests(folder: string, onrequest: (server: string) => void): () => void {
  const file = join(folder, FILE);
  let seen = readRequests(file);
  return watchFileChanges(file, () => {
    const requests = readRequests(file);
    const fresh = [...requests].filter(([id]) => !seen.has(id));
    seen = requests;
    for (const server of new Set(fresh.map(([, server]) => server))) onrequest(server);
  });
}

/** The servers asked for, by request. */
function readRequests(file: string): ReadonlyMap<string, string> {
  try {
    return new Map(readRegularFile(file, MOST_READ_BYTES).toString('utf8').split('\n').flatMap(readRequest));
  } catch {
    // Nobody has asked yet.
    return new Map();
  }
}

function readRequest(line: string): [id: string, server: string][] {
  try {
    const [server, id] = JSON.parse(line) as unknown[];
    return typeof server === 'string' && typeof id === 'string' ? [[id, server]] : [];
  } catch {
    // Nothing of ours.
    return [];
  }
}

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchFileChanges } from './watch-file.ts';

const FILE = 'restart-requests.json';

/** Asks every running toolsift of this user to restart a server. */
export function requestRestart(folder: string, server: string, now = Date.now()): void {
  const requests = readRequests(folder);
  requests.set(server, now);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `${FILE}.${process.pid}.tmp`);
  writeFileSync(temporary, JSON.stringify([...requests]));
  renameSync(temporary, join(folder, FILE));
}

/** Calls back with each server somebody asks to restart from now on; the returned function ends that. */
export function watchRestartRequests(folder: string, onrequest: (server: string) => void): () => void {
  let seen = readRequests(folder);
  return watchFileChanges(join(folder, FILE), () => {
    const requests = readRequests(folder);
    for (const [server, time] of requests) if (time !== seen.get(server)) onrequest(server);
    seen = requests;
  });
}

function readRequests(folder: string): Map<string, number> {
  try {
    return new Map(JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as [string, number][]);
  } catch {
    // Nobody has asked yet, or the file is not ours to read.
    return new Map();
  }
}

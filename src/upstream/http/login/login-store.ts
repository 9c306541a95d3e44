import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../../regular-file.ts';
import { parseLogin, type StoredLogin } from './stored-login.ts';

const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Logins of this user, a file for each server's address. Only the user may read them; a file is replaced as a whole,
 * so that whoever reads finds one login or the other.
 */
export class LoginStore {
  readonly folder: string;
  readonly #read = new Map<string, { readonly state: string; readonly login: StoredLogin | undefined }>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** What is known of a server now, whichever process has written it. */
  find(url: URL): StoredLogin | undefined {
    const file = this.fileOf(url);
    const state = stateOf(file);
    if (state === undefined) return undefined;
    const known = this.#read.get(file);
    if (known?.state === state) return known.login;
    const login = readLogin(file, addressOf(url));
    this.#read.set(file, { state, login });
    return login;
  }

  write(login: StoredLogin): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const file = this.fileOf(new URL(login.server));
    const draft = `${file}.${randomUUID()}`;
    writeFileSync(draft, `${JSON.stringify(login, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  }

  /** @returns whether there was one */
  remove(url: URL): boolean {
    const existed = this.find(url) !== undefined;
    rmSync(this.fileOf(url), { force: true });
    return existed;
  }

  fileOf(url: URL): string {
    const name = createHash('sha256').update(addressOf(url)).digest('hex').slice(0, 32);
    return join(this.folder, `${name}.json`);
  }
}

/** What tells one server from another. */
export function addressOf(url: URL): string {
  const address = new URL(url);
  address.username = '';
  address.password = '';
  address.hash = '';
  return address.href;
}

function readLogin(file: string, server: string): StoredLogin | undefined {
  try {
    return parseLogin(readRegularFile(file, MAX_FILE_BYTES).toString('utf8'), server);
  } catch {
    // Gone since it was looked for, or not ours to read: as good as none.
    return undefined;
  }
}

/** What tells one state of a file from another; undefined where there is none. */
function stateOf(file: string): string | undefined {
  let stats: Stats | undefined;
  try {
    stats = statSync(file, { throwIfNoEntry: false });
  } catch {
    // Its folder is not ours to read.
  }
  return stats && [stats.mtimeMs, stats.size, stats.ino].join();
}

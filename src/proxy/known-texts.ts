import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyOf, readSecret } from '../catalog/cache-key.ts';
import { removeQuietly } from '../catalog/remove-quietly.ts';
import type { KnownTexts } from '../config/load-config.ts';
import { readRegularFile } from '../regular-file.ts';
import type { UserFolders } from './user-folders.ts';

type Folders = Pick<UserFolders, 'cache' | 'data'>;

const MAX_STAMP_BYTES = 100;

/** Which text of each configuration file was found valid, by this version. */
export function checkedTexts(folders: Folders, version: string): Stamps {
  return new Stamps({ folder: folders.cache, kind: 'checked', secret: readSecret(folders.data), version });
}

/** Which text of each configuration file the user has said to trust. */
export function trustedTexts({ data }: Folders): Stamps {
  return new Stamps({ folder: data, kind: 'trusted', secret: readSecret(data) });
}

interface StampsOptions {
  readonly folder: string;
  /** What is known of the texts. */
  readonly kind: 'checked' | 'trusted';
  readonly secret: Uint8Array;
  /** What is known holds for this version only. */
  readonly version?: string;
}

/**
 * Remembers something about the text of each of several files. What is kept tells nothing of a text: it is named after
 * it with the user's secret.
 */
export class Stamps implements KnownTexts {
  readonly #options: StampsOptions;

  constructor(options: StampsOptions) {
    this.#options = options;
  }

  has(file: string, text: string): boolean {
    try {
      return readRegularFile(this.stampOf(file), MAX_STAMP_BYTES).toString('utf8') === this.#keyOf(text);
    } catch {
      // Nothing is known yet.
      return false;
    }
  }

  /** A folder that cannot be written keeps nothing. */
  add(file: string, text: string): void {
    const stamp = this.stampOf(file);
    const temporary = `${stamp}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
    try {
      mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
      writeFileSync(temporary, this.#keyOf(text), { mode: 0o600 });
      renameSync(temporary, stamp);
    } catch {
      removeQuietly(temporary);
    }
  }

  /** The file that is kept for one: a later text takes the place of what was before. */
  stampOf(file: string): string {
    const { folder, kind, secret } = this.#options;
    return join(folder, `config-${keyOf(secret, { file: realPathOf(file) })}.${kind}`);
  }

  #keyOf(text: string): string {
    const { kind, secret, version } = this.#options;
    return keyOf(secret, { kind, version, text });
  }
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // Gone: then it is known by the name it had.
    return file;
  }
}

import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyOf, readSecret } from '../catalog/cache-key.ts';
import { removeQuietly } from '../catalog/remove-quietly.ts';
import type { CheckedTexts } from '../config/load-config.ts';
import { readRegularFile } from '../regular-file.ts';
import type { UserFolders } from './user-folders.ts';

const MAX_STAMP_BYTES = 100;

/**
 * Remembers beside the catalogs which text of each configuration file was found valid, by this version. What is kept
 * tells nothing of the text: it is named after it with the user's secret.
 */
export class CheckedConfigs implements CheckedTexts {
  readonly #folder: string;
  readonly #secret: Uint8Array;
  readonly #version: string;

  constructor({ cache, data }: Pick<UserFolders, 'cache' | 'data'>, version: string) {
    this.#folder = cache;
    this.#secret = readSecret(data);
    this.#version = version;
  }

  has(file: string, text: string): boolean {
    try {
      return readRegularFile(this.#stampOf(file), MAX_STAMP_BYTES).toString('utf8') === this.#keyOf(text);
    } catch {
      // Not checked yet.
      return false;
    }
  }

  /** A folder that cannot be written costs the next start a check. */
  add(file: string, text: string): void {
    const stamp = this.#stampOf(file);
    const temporary = `${stamp}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(temporary, this.#keyOf(text), { mode: 0o600 });
      renameSync(temporary, stamp);
    } catch {
      removeQuietly(temporary);
    }
  }

  #keyOf(text: string): string {
    return keyOf(this.#secret, { version: this.#version, text });
  }

  /** One a file: an edit takes the place of what was before. */
  #stampOf(file: string): string {
    return join(this.#folder, `config-${keyOf(this.#secret, { file })}.checked`);
  }
}

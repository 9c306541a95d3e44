import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Command } from './line-client.ts';

export interface RecordedServer {
  readonly name: string;
  readonly file: string;
  readonly tools: readonly object[];
}

/** What every section needs to know: where things are and how much to measure. */
export class Environment {
  readonly cli: string;
  readonly isQuick: boolean;
  readonly #home = mkdtempSync(path.join(tmpdir(), 'toolsift-bench-'));

  constructor(options: { cli: string; isQuick: boolean }) {
    this.cli = path.resolve(options.cli);
    this.isQuick = options.isQuick;
  }

  /** Rounds of a measurement: the full number, or the few of `--quick`. */
  rounds(full: number, quick: number): number {
    return this.isQuick ? quick : full;
  }

  fixture(name: string, ...args: string[]): Command {
    return { args: [fixturePath(name), ...args] };
  }

  /** `toolsift mcp` with this configuration, and a home of its own, so that no user's cache is read or written. */
  toolsift(configName: string, config: object): Command {
    mkdirSync(this.#home, { recursive: true });
    const file = path.join(this.#home, `${configName}.json`);
    writeFileSync(file, JSON.stringify(config));
    return { args: [this.cli, 'mcp', '--config', file], env: this.#userFolders() };
  }

  /** The recorded tool lists, sorted by name; `undefined` where this checkout has none beside it. */
  recordedServers(): readonly RecordedServer[] | undefined {
    const folder = path.resolve('../shared/catalog');
    if (!existsSync(folder)) return undefined;
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return files.sort().map((name) => {
      const file = path.join(folder, name);
      const { tools } = JSON.parse(readFileSync(file, 'utf8')) as { tools: object[] };
      return { name: path.basename(name, '.json'), file, tools };
    });
  }

  dispose(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }

  #userFolders(): Record<string, string> {
    return {
      HOME: this.#home,
      XDG_CACHE_HOME: path.join(this.#home, 'cache'),
      XDG_CONFIG_HOME: path.join(this.#home, 'config'),
      LOCALAPPDATA: path.join(this.#home, 'local'),
      APPDATA: path.join(this.#home, 'roaming'),
    };
  }
}

export function fixturePath(name: string): string {
  return path.resolve('bench/fixtures', name);
}

/** A server of a configuration that starts one of the fixtures. */
export function fixtureEntry(name: string, ...args: string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [fixturePath(name), ...args] };
}

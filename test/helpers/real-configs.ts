import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { DATA_FOLDER } from '../../bench/retrieval/sets.ts';
import type { ServerConfig } from '../../src/config/config.ts';

/** What a server means to its own host. */
export interface Meaning {
  readonly transport: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | null>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly disabled: boolean;
  readonly missing?: readonly string[];
  readonly timeouts?: { readonly callMs?: number };
  readonly tools?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
}

export interface RealFile {
  readonly file: string;
  readonly agent: string;
  readonly refuse: string | null;
  readonly skippedByAgent?: Readonly<Record<string, string>>;
  readonly servers: Readonly<Record<string, Meaning>>;
  readonly ifTolerated?: Readonly<Record<string, Meaning>>;
}

export const REAL_FILES = path.join(DATA_FOLDER, 'configs');
const expectations = path.join(REAL_FILES, 'EXPECT.json');
export const isThere = existsSync(expectations);
if (!isThere) console.log(`Real configuration files are skipped: there is no ${expectations}.`);
export const { environment, files } = isThere
  ? (JSON.parse(readFileSync(expectations, 'utf8')) as {
      environment: { set: Record<string, string> };
      files: RealFile[];
    })
  : { environment: { set: {} }, files: [] };

/** What a server is run as, in the terms of the expectations. */
export function meaningOf(config: ServerConfig | undefined): object | string | undefined {
  if (config?.kind === 'stdio') {
    const { command, args, env } = config;
    return { kind: 'stdio', command, args, env };
  }
  if (config?.kind === 'http') {
    const { transport, url, headers } = config;
    return { kind: transport, url, headers };
  }
  return config?.kind === 'faulty' ? config.reason : config?.kind;
}

export function expected({
  transport,
  disabled,
  command,
  args,
  env,
  url,
  headers,
}: Meaning): object | string {
  if (disabled) return 'disabled';
  if (transport === 'stdio') return { kind: 'stdio', command, args, env };
  // Where a host tries one after the other, so may we; "http" of ours is what it tries first.
  const kind = transport === 'http, then sse' ? expect.stringMatching(/^(?:auto|http)$/) : transport;
  return { kind, url, headers };
}

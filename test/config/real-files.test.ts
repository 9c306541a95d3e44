import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DATA_FOLDER } from '../../bench/retrieval/sets.ts';
import type { Config, ServerConfig } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { FILTERED_ELSEWHERE, KEPT_AS_TEXT, OTHERWISE, REFUSED } from './real-files-otherwise.ts';

interface Meaning {
  readonly transport: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | null>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly disabled: boolean;
  readonly tools?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
}

interface RealFile {
  readonly file: string;
  readonly servers: Readonly<Record<string, Meaning>>;
  readonly ifTolerated?: Readonly<Record<string, Meaning>>;
}

const folder = path.join(DATA_FOLDER, 'configs');
const expectations = path.join(folder, 'EXPECT.json');
const isThere = existsSync(expectations);
if (!isThere) console.log(`Real configuration files are skipped: there is no ${expectations}.`);
const { environment, files } = isThere
  ? (JSON.parse(readFileSync(expectations, 'utf8')) as {
      environment: { set: Record<string, string> };
      files: RealFile[];
    })
  : { environment: { set: {} }, files: [] };
const readable = files.filter(({ file }) => /\.jsonc?$/.test(file));

const scratch = mkdtempSync(path.join(tmpdir(), 'toolsift-real-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function load(file: string): Promise<Config> {
  const config = path.join(scratch, 'toolsift.json');
  writeFileSync(config, readFileSync(path.join(folder, file)));
  return loadConfig({ flag: config, env: environment.set, cwd: scratch });
}

describe.skipIf(!isThere)('a file of another host, pasted as it is', () => {
  const pasted = readable.filter(({ file }) => !(file in REFUSED));
  const servers = pasted.flatMap(({ file, servers: read, ifTolerated = {} }) =>
    Object.entries({ ...ifTolerated, ...read }).map(
      ([name, meaning]) => [`${file}#${name}`, file, name, meaning] as const,
    ),
  );

  test('has been found, and its servers', () => {
    expect(readable.length).toBeGreaterThan(60);
    expect(servers.length).toBeGreaterThan(120);
  });

  test.each(servers.filter(([id]) => !(id in OTHERWISE)))(
    'means the same: %s',
    async (_, file, name, meaning) => {
      const config = (await load(file)).servers.get(name);
      expect(meaningOf(config)).toEqual(expected(meaning));
    },
  );

  test.each(servers.filter(([id]) => id in OTHERWISE))(
    'is read in our own way: %s',
    async (id, file, name) => {
      const config = (await load(file)).servers.get(name);
      expect(meaningOf(config)).toEqual(OTHERWISE[id]);
    },
  );

  const filtered = servers.filter(([id, , , { tools, disabled }]) => {
    return !disabled && filters(tools) && !FILTERED_ELSEWHERE.includes(id);
  });
  test.each(filtered)('is told what of its tool filters is lost: %s', async (_, file, name) => {
    const { warnings } = await load(file);
    expect(warnings).toContainEqual(
      expect.stringMatching(new RegExp(`^server "${name}": "\\w+" is ignored: toolsift offers every tool`)),
    );
  });

  test.each(KEPT_AS_TEXT)('is told what is no variable here: %s, %s', async (file, warning) => {
    expect((await load(file)).warnings).toContainEqual(expect.stringContaining(warning));
  });

  test.each(Object.entries(REFUSED))('is refused with the reason: %s', async (file, reason) => {
    await expect(load(file)).rejects.toThrow(reason);
  });
});

/** What a server is run as, in the terms of the expectations. */
function meaningOf(config: ServerConfig | undefined): object | string | undefined {
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

function expected({ transport, disabled, command, args, env, url, headers }: Meaning): object | string {
  if (disabled) return 'disabled';
  if (transport === 'stdio') return { kind: 'stdio', command, args, env };
  // Where a host tries one after the other, so may we; "http" of ours is what it tries first.
  const kind = transport === 'http, then sse' ? expect.stringMatching(/^(?:auto|http)$/) : transport;
  return { kind, url, headers };
}

function filters(tools: Meaning['tools']): boolean {
  const { allow, deny = [] } = tools ?? {};
  return (allow !== undefined && allow.join() !== '*') || deny.length > 0;
}

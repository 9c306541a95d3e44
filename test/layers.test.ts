import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
const MAX_LINES = 250;

/** What each part may import of ours, beside `errors` and `log`. A file directly in `src` is a part of its own. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  cut: [],
  'foreign-text': ['cut'],
  errors: [],
  'file-lock': [],
  'regular-file': [],
  'platform-folders': [],
  terminal: ['foreign-text'],
  log: ['cut', 'foreign-text', 'terminal'],
  version: [],
  json: [],
  mcp: [],
  jsonrpc: ['json', 'mcp'],
  config: [],
  agents: ['config'],
  policy: ['catalog'],
  catalog: ['json', 'mcp'],
  search: ['json'],
  upstream: ['json', 'mcp', 'jsonrpc', 'config'],
  downstream: ['json', 'mcp', 'jsonrpc', 'policy', 'catalog', 'search'],
  proxy: ['json', 'mcp', 'jsonrpc', 'config', 'policy', 'catalog', 'search', 'upstream', 'downstream'],
  commands: [
    'agents',
    'proxy',
    'catalog',
    'search',
    'mcp',
    'jsonrpc',
    'config',
    'policy',
    'upstream',
    'downstream',
    'terminal',
    'version',
  ],
  cli: ['commands', 'terminal'],
  index: ['search'],
};
const KNOWN_TO_ALL = [
  'cut',
  'errors',
  'file-lock',
  'foreign-text',
  'log',
  'platform-folders',
  'regular-file',
];
const KNOWS_NOTHING = new Set(KNOWN_TO_ALL);

/**
 * The rooms of a part: which of its other rooms each may import. All may import what lies directly in the part's
 * folder, unless it stands above them all.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'config/text': [],
  'config/schema': ['config/text'],
  'config/entry': ['config/text', 'config/schema'],
  'config/edit': ['config/text', 'config/schema', 'config/entry'],
  'search/words': [],
  'search/meaning': ['search/words'],
  'search/index': ['search/words', 'search/meaning'],
  'search/query': ['search/words', 'search/index', 'search/meaning'],
  'search/rank': ['search/words', 'search/index', 'search/query', 'search/meaning'],
  'search/answer': ['search/words', 'search/index'],
  'upstream/secrets': [],
  'upstream/lists': [],
  'upstream/stdio': [],
  'upstream/http': [],
  'upstream/hub': [],
  'upstream/share': ['upstream/hub'],
  'downstream/lists': ['downstream/meta-tools'],
  'downstream/routes': ['downstream/lists'],
  'downstream/meta-tools': [],
  'downstream/http': [],
};
/** Parts whose own files stand above their rooms. */
const FILES_ON_TOP = new Set(['config', 'search']);

/** Packages, and the parts that each belongs to. */
const PACKAGE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  '@modelcontextprotocol/sdk': ['mcp', 'upstream'],
  'env-paths': ['platform-folders'],
  execa: ['upstream'],
  jose: ['downstream'],
  'jsonc-parser': ['config'],
  porter2: ['search'],
  'prom-client': ['downstream'],
  yargs: ['commands'],
  yaml: ['agents'],
  zod: ['config'],
};

interface Import {
  readonly file: string;
  readonly target: string;
  readonly isTypeOnly: boolean;
}

interface Source {
  readonly file: string;
  readonly part: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

const IMPORT =
  /^(?:import|export)\s+(type\s)?[^;'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;

function partOf(path: string): string {
  return path.split(sep)[0]?.replace(/\.ts$/, '') ?? '';
}

/** The folder below a part that a file lies in, e.g. `search/rank`; the part itself for files directly in it. */
function roomOf(path: string): string {
  return path.split(sep).slice(0, -1).slice(0, 2).join('/') || partOf(path);
}

function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, from, bare, dynamic]) => ({
    file,
    target: from ?? bare ?? dynamic ?? '',
    isTypeOnly: type !== undefined,
  }));
}

const sources: readonly Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    return { file, part: partOf(file), text, imports: importsOf(file, text) };
  });

/** The part an import leads to; undefined within the same part and for packages. */
function importedPart({ file, target }: Import): string | undefined {
  if (!target.startsWith('.')) return undefined;
  const path = relative(SRC, join(SRC, dirname(file), target));
  const part = partOf(path);
  return path.startsWith('..') || part === partOf(file) ? undefined : part;
}

/** The room an import leads to, of the same part but another room; undefined for all other imports. */
function importedRoom({ file, target }: Import): string | undefined {
  if (!target.startsWith('.')) return undefined;
  const path = relative(SRC, join(SRC, dirname(file), target));
  return partOf(path) === partOf(file) && roomOf(path) !== roomOf(file) ? roomOf(path) : undefined;
}

function importedFile({ file, target }: Import): string {
  return relative(SRC, join(SRC, dirname(file), target));
}

/** What can be reached from itself. */
function inCircles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    [...(edges.get(from) ?? [])].some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return [...edges.keys()].filter((one) => reaches(one, one, new Set()));
}

function packageOf({ target }: Import): string | undefined {
  if (target.startsWith('.') || target.startsWith('node:')) return undefined;
  return target.split('/', target.startsWith('@') ? 2 : 1).join('/');
}

describe('the parts of src', () => {
  it('are all known here, and their imports are read', () => {
    expect([...new Set(sources.map(({ part }) => part))].filter((part) => !(part in MAY_IMPORT))).toEqual([]);
    expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(sources.length);
  });

  it.each(Object.keys(MAY_IMPORT))('%s imports only what stands below it', (part) => {
    const allowed = new Set([...(MAY_IMPORT[part] ?? []), ...(KNOWS_NOTHING.has(part) ? [] : KNOWN_TO_ALL)]);
    const wrong = sources
      .filter((source) => source.part === part)
      .flatMap(({ imports }) => imports)
      .filter((one) => {
        const other = importedPart(one);
        return other !== undefined && !allowed.has(other);
      })
      .map(({ file, target }) => `${file} -> ${target}`);
    expect(wrong).toEqual([]);
  });

  it('have rooms that are all known here', () => {
    const rooms = sources.map(({ file }) => roomOf(file)).filter((room) => room.includes('/'));
    expect([...new Set(rooms)].filter((room) => !(room in ROOMS))).toEqual([]);
  });

  it.each(Object.keys(ROOMS))('%s imports of its own part only what stands below it', (room) => {
    const part = partOf(room);
    const allowed = new Set([...(ROOMS[room] ?? []), ...(FILES_ON_TOP.has(part) ? [] : [part])]);
    const wrong = sources
      .filter(({ file }) => roomOf(file) === room)
      .flatMap(({ imports }) => imports)
      .filter((one) => {
        const other = importedRoom(one);
        return other !== undefined && !allowed.has(other);
      })
      .map(({ file, target }) => `${file} -> ${target}`);
    expect(wrong).toEqual([]);
  });

  it('import each other in one direction only', () => {
    const edges = new Map<string, Set<string>>();
    for (const { part, imports } of sources) {
      const targets = imports.map(importedPart).filter((other) => other !== undefined);
      edges.set(part, new Set([...(edges.get(part) ?? []), ...targets]));
    }
    expect(inCircles(edges)).toEqual([]);
  });

  it.each(['search', 'catalog', 'json'])('%s has no files that import each other in a circle', (part) => {
    const own = sources.filter((source) => source.part === part);
    const edges = new Map(
      own.map(({ file, imports }) => [
        file,
        new Set(imports.filter(({ target }) => target.startsWith('.')).map((one) => importedFile(one))),
      ]),
    );
    expect(inCircles(edges)).toEqual([]);
  });

  it('know of the configuration only its types, where they run upstreams', () => {
    const runtime = sources
      .filter(({ part }) => part === 'upstream')
      .flatMap(({ imports }) => imports)
      .filter((one) => importedPart(one) === 'config' && !one.isTypeOnly);
    expect(runtime).toEqual([]);
  });

  it('take no more than types from the SDK where they name the words of the specification', () => {
    const runtime = sources
      .filter(({ part }) => part === 'mcp')
      .flatMap(({ imports }) => imports)
      .filter((one) => packageOf(one) !== undefined && !one.isTypeOnly);
    expect(runtime).toEqual([]);
  });

  it('start processes nowhere but in upstream', () => {
    const starters = sources.filter(({ imports }) =>
      imports.some(({ target }) => target === 'node:child_process' || target === 'execa'),
    );
    expect(starters.length).toBeGreaterThan(0);
    expect(starters.filter(({ part }) => part !== 'upstream').map(({ file }) => file)).toEqual([]);
  });

  it('use each package only where it belongs', () => {
    const wrong = sources
      .flatMap(({ imports }) => imports)
      .flatMap((one) => {
        const name = packageOf(one);
        const owners = PACKAGE_OWNERS[name ?? ''] ?? [];
        return name === undefined || owners.includes(partOf(one.file)) ? [] : [`${one.file} -> ${name}`];
      });
    expect(wrong).toEqual([]);
  });

  it('print for people in one place, where everything is made harmless', () => {
    const prints = /\bconsole\b|\bstd(out|err)\.write\b|\bwriteSync\(\s*[12]\b/;
    const printers = sources.filter(({ text }) => prints.test(text)).map(({ file }) => file);
    expect(printers).toEqual(['terminal.ts']);
  });

  it('hold the standard streams only where the protocol is spoken and text is printed', () => {
    const holders = sources.filter(({ text }) =>
      /\bprocess\.stdout\b|[{,]\s*stdout\b[^}]*}\s*=\s*process\b/.test(text),
    );
    expect(holders.map(({ file }) => file).sort()).toEqual([
      join('commands', 'command-line.ts'),
      join('commands', 'mcp.ts'),
      join('commands', 'run-bridge.ts'),
      'terminal.ts',
    ]);
  });

  it('set the exit code nowhere but in cli.ts', () => {
    const setters = sources.filter(({ text }) => /\bprocess\.exitCode\b/.test(text));
    expect(setters.map(({ file }) => file)).toEqual(['cli.ts']);
  });

  it('end the process nowhere but in cli.ts and commands', () => {
    const enders = sources.filter(({ text }) => /\bprocess\.exit\(/.test(text)).map(({ part }) => part);
    expect([...new Set(enders)].sort()).toEqual(['cli', 'commands']);
  });

  it(`have no file above ${MAX_LINES} lines`, () => {
    const long = sources
      .map(({ file, text }) => ({ file, lines: text.trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > MAX_LINES);
    expect(long).toEqual([]);
  });
});

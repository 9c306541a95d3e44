import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CachedUpstream } from '../../src/catalog/cache-file.ts';
import type { CacheName } from '../../src/catalog/cache-file-name.ts';
import { CatalogCache } from '../../src/catalog/catalog-cache.ts';
import { snapshotOf } from './samples.ts';

const NAME: CacheName = { server: 'git', configKey: 'aaaa', clientKey: 'c1' };

function open(folder?: string) {
  const root = mkdtempSync(join(tmpdir(), 'toolsift-cache-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const place = folder === undefined ? join(root, 'cache') : join(root, folder);
  const warnings: string[] = [];
  const cache = new CatalogCache(place, (message) => warnings.push(message));
  const files = () => readdirSync(place).toSorted();
  const path = () => join(place, files()[0] ?? '');
  return { cache, place, warnings, files, path, root };
}

function upstream(tools: readonly string[], more: Partial<CachedUpstream> = {}): CachedUpstream {
  return {
    snapshot: snapshotOf('git', tools),
    readAt: 5,
    initializeParams: '{}',
    ...more,
  };
}

const toolsOf = (cache: CatalogCache, name: CacheName = NAME) =>
  cache
    .load([name])
    .get(name.server)
    ?.snapshot.tools.map((tool) => tool.name);

describe('CatalogCache', () => {
  it('knows nothing at first, and says nothing of that', () => {
    const { cache, warnings } = open();
    expect(cache.load([NAME]).size).toBe(0);
    expect(cache.clientsOf(NAME)).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('gives back what was saved, for the same configuration only', () => {
    const { cache } = open();
    cache.save(NAME, upstream(['commit']));
    expect(cache.load([NAME]).get('git')).toMatchObject({ isExact: true, readAt: 5 });
    expect(toolsOf(cache)).toEqual(['commit']);
    expect(toolsOf(cache, { ...NAME, configKey: 'bbbb' })).toBeUndefined();
    expect(toolsOf(cache, { ...NAME, server: 'gi' })).toBeUndefined();
  });

  it('gives another client what it has, and says that it was not read for that', () => {
    const { cache } = open();
    cache.save(NAME, upstream(['commit']));
    expect(cache.load([{ ...NAME, clientKey: 'c2' }]).get('git')).toMatchObject({ isExact: false });
    cache.save({ ...NAME, clientKey: 'c2' }, upstream(['push']));
    expect(toolsOf(cache)).toEqual(['commit']);
    expect(toolsOf(cache, { ...NAME, clientKey: 'c2' })).toEqual(['push']);
  });

  it('knows the clients that a server is kept for', () => {
    const { cache } = open();
    cache.save(NAME, upstream([], { initializeParams: '{"a":1.0}' }));
    cache.save({ ...NAME, clientKey: 'c2' }, upstream([], { initializeParams: '{"b":2}' }));
    cache.save({ ...NAME, configKey: 'bbbb' }, upstream([], { initializeParams: '{"c":3}' }));
    expect(cache.clientsOf(NAME).toSorted()).toEqual(['{"a":1.0}', '{"b":2}']);
  });

  it('keeps files for the user alone, whatever a server is called', () => {
    const { cache, place, files } = open();
    const server = `../../etc/${'ä '.repeat(60)}`;
    cache.save({ ...NAME, server }, upstream(['commit']));
    expect(files()).toHaveLength(1);
    expect(files()[0]).toMatch(/^[a-zA-Z0-9_.-]{1,80}$/);
    expect(statSync(join(place, files()[0] ?? '')).mode & 0o777).toBe(0o600);
    expect(statSync(place).mode & 0o777).toBe(0o700);
    expect(toolsOf(cache, { ...NAME, server })).toEqual(['commit']);
  });

  it('replaces a damaged file, says so once, and takes that of another client meanwhile', () => {
    const { cache, warnings, files, path } = open();
    cache.save(NAME, upstream(['commit']));
    truncateSync(path(), 40);
    expect(toolsOf(cache)).toBeUndefined();
    expect(toolsOf(cache)).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining('"git" is damaged')]);
    expect(files()).toEqual([]);
    cache.save(NAME, upstream(['commit']));
    expect(toolsOf(cache)).toEqual(['commit']);
    const damaged = path();
    cache.save({ ...NAME, clientKey: 'c2' }, upstream(['push']));
    writeFileSync(damaged, 'toolsift-catalog 0 123\n{}\n');
    expect(toolsOf(cache)).toEqual(['push']);
  });

  it('costs nothing but warmth where nothing can be written', () => {
    const { root, warnings } = open();
    writeFileSync(join(root, 'file'), '');
    const cache = new CatalogCache(join(root, 'file', 'cache'), (message) => warnings.push(message));
    cache.save(NAME, upstream(['commit']));
    expect(toolsOf(cache)).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining('"git" could not be kept')]);
  });

  it('says so when a file cannot be read, and reads the others', () => {
    const { cache, place, warnings, files } = open();
    cache.save(NAME, upstream(['commit']));
    const [file = ''] = files();
    rmSync(join(place, file));
    mkdirSync(join(place, file));
    cache.save({ ...NAME, server: 'mail' }, upstream(['send']));
    const found = cache.load([NAME, { ...NAME, server: 'mail' }]);
    expect([...found.keys()]).toEqual(['mail']);
    expect(warnings).toEqual([expect.stringContaining('"git" could not be read')]);
  });

  it('holds one whole file when two write at once', () => {
    const { cache, place, files } = open();
    const other = new CatalogCache(place, () => {});
    for (let turn = 0; turn < 20; turn++) {
      cache.save(NAME, upstream(['one']));
      other.save(NAME, upstream(['other', 'more']));
    }
    expect(files()).toHaveLength(1);
    expect(toolsOf(cache)).toEqual(['other', 'more']);
  });

  it('says without reading a file what servers declared, for this client if it can', () => {
    const { cache, path } = open();
    const declaring = (capabilities: string, readAt = 1) =>
      upstream(['commit'], {
        readAt,
        snapshot: snapshotOf('git', ['commit'], { initializeResult: `{"capabilities":${capabilities}}` }),
      });
    const known = (clientKey: string) => [
      ...(cache.capabilities([{ ...NAME, clientKey }]).get('git') ?? ['?']),
    ];
    expect(known('c1')).toEqual(['?']);
    cache.save(NAME, declaring('{"tools":{},"prompts":{},"tasks":{}}'));
    cache.save({ ...NAME, clientKey: 'c2' }, declaring('{"logging":{}}'));
    expect([known('c1'), known('c2'), known('c3')]).toEqual([['prompts', 'tasks'], ['logging'], ['logging']]);
    const unreadable = path();
    rmSync(unreadable);
    mkdirSync(unreadable);
    expect(known('c1')).toEqual(['prompts', 'tasks']);
  });

  it('has one file of a server and a client, whatever the server declares next', () => {
    const { cache, files } = open();
    for (const capabilities of ['{"prompts":{}}', '{}', '[]', '7', '{"resources":{},"prompts":{}}']) {
      const initializeResult = `{"capabilities":${capabilities}}`;
      cache.save(NAME, upstream(['commit'], { snapshot: snapshotOf('git', ['x'], { initializeResult }) }));
    }
    cache.save({ ...NAME, clientKey: 'c2' }, upstream(['commit']));
    expect(files()).toEqual(['git.aaaa.c1.rp.catalog', 'git.aaaa.c2.-.catalog']);
    expect(toolsOf(cache)).toEqual(['x']);
  });

  // A writer that is killed cannot clean up after itself.
  it('removes what writers left behind that were killed, and spares those at work', () => {
    const { cache, place, files } = open();
    cache.save(NAME, upstream(['commit']));
    const [file = ''] = files();
    const old = join(place, `${file}.4194000-00c0ffee.tmp`);
    const young = join(place, `${file}.4194001-00c0ffee.tmp`);
    for (const path of [old, young]) writeFileSync(path, 'half of one');
    const hoursAgo = (hours: number): number => Date.now() / 1000 - hours * 3600;
    utimesSync(old, hoursAgo(25), hoursAgo(25));
    utimesSync(young, hoursAgo(23), hoursAgo(23));
    new CatalogCache(place, () => {}).load([NAME]);
    cache.save(NAME, upstream(['commit']));
    expect(files()).toEqual([file, `${file}.4194001-00c0ffee.tmp`]);
  });
});

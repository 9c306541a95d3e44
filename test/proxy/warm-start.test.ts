import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Catalog } from '../../src/catalog/catalog.ts';
import { CatalogCache } from '../../src/catalog/catalog-cache.ts';
import type { ServerConfig, StdioServerConfig } from '../../src/config/config.ts';
import { WarmStart } from '../../src/proxy/warm-start.ts';
import { snapshotOf } from '../catalog/samples.ts';
import { httpConfig, SETTINGS, stdioConfig } from '../upstream/server-config.ts';

const SECRET = new Uint8Array(32).fill(3);
const PLAIN = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}';
const PLAIN_OTHER = '{"capabilities":{},"clientInfo":{"name":"b","version":"2"}}';
const ASKING = '{"capabilities":{"elicitation":{}}}';

/** A user's cache, opened anew for each session. */
function cacheOfUser() {
  const folder = mkdtempSync(join(tmpdir(), 'toolsift-warm-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const warnings: string[] = [];
  const session = () => {
    const changed: string[] = [];
    const catalog = new Catalog(({ server }) => changed.push(server));
    const cache = new CatalogCache(folder, (message) => warnings.push(message));
    return { catalog, changed, warmStart: new WarmStart({ cache, secret: SECRET }) };
  };
  return { folder, warnings, session };
}

function load(user: ReturnType<typeof cacheOfUser>, configs: readonly ServerConfig[], params = PLAIN) {
  const { catalog, changed, warmStart } = user.session();
  return { catalog, changed, known: warmStart.load(catalog, configs, params) };
}

const server = stdioConfig({ name: 'git', command: 'git-server' });

describe('WarmStart', () => {
  it('brings back what a session before has kept, and says when it was read', () => {
    const user = cacheOfUser();
    const kept = snapshotOf('git', ['commit', '{"name":"odd","x":1.0}'], { prompts: ['{"name":"p"}'] });
    user.session().warmStart.keep(server, kept, PLAIN, 77);
    const { catalog, changed, known } = load(user, [server, stdioConfig({ name: 'unknown' })]);
    expect([...known]).toEqual([['git', { readAt: 77, isExact: true }]]);
    expect(changed).toEqual(['git']);
    expect(catalog.tool('git', 'odd')?.definition).toBe('{"name":"odd","x":1.0}');
    expect(catalog.upstream('git')?.snapshot.prompts).toEqual(['{"name":"p"}']);
  });

  it('takes clients for the same that declare the same, whatever they are called', () => {
    const user = cacheOfUser();
    user.session().warmStart.keep(server, snapshotOf('git', ['commit']), PLAIN, 1);
    expect(load(user, [server], PLAIN_OTHER).known.get('git')).toMatchObject({ isExact: true });
    expect(load(user, [server], ASKING).known.get('git')).toMatchObject({ isExact: false });
    user.session().warmStart.keep(server, snapshotOf('git', ['ask']), ASKING, 2);
    expect(load(user, [server], ASKING).known.get('git')).toEqual({ readAt: 2, isExact: true });
    expect(user.session().warmStart.clientsOf(server).toSorted()).toEqual([ASKING, PLAIN].toSorted());
  });

  it.each<[string, Partial<StdioServerConfig>]>([
    ['command', { command: 'other' }],
    ['arguments', { args: ['--all'] }],
    ['environment', { env: { TOKEN: 'sk-1' } }],
    ['place', { place: '/' }],
  ])('knows nothing of a server whose %s is another', (_, more) => {
    const user = cacheOfUser();
    user.session().warmStart.keep(server, snapshotOf('git', ['commit']), PLAIN, 1);
    expect(load(user, [{ ...server, ...more }]).known.size).toBe(0);
  });

  it.each([
    { url: 'https://example.com/other' },
    { headers: { 'X-Key': '1' } },
    { transport: 'sse' as const },
  ])('knows nothing of a remote server with another %o', (more) => {
    const user = cacheOfUser();
    const remote = httpConfig({ name: 'docs' });
    user.session().warmStart.keep(remote, snapshotOf('docs', ['read']), PLAIN, 1);
    expect(load(user, [remote]).known.size).toBe(1);
    expect(load(user, [{ ...remote, ...more }]).known.size).toBe(0);
  });

  it('still knows a server that has other time limits, or runs in other ways or for a toolsift elsewhere', () => {
    const user = cacheOfUser();
    user.session().warmStart.keep(server, snapshotOf('git', ['commit']), PLAIN, 1);
    const changed = {
      ...server,
      cwd: '/',
      timeoutMs: 5,
      idleStopMs: 9,
      start: 'eager' as const,
      keepsLog: true,
    };
    expect(load(user, [changed]).known.size).toBe(1);
  });

  it('leaves out servers that are switched off or cannot be used', () => {
    const user = cacheOfUser();
    const settings = { name: 'git', ...SETTINGS };
    const { known, catalog } = load(user, [
      { kind: 'disabled', ...settings },
      { kind: 'faulty', reason: 'no', ...settings, name: 'x' },
    ]);
    expect([known.size, catalog.toolCount]).toEqual([0, 0]);
  });

  it('writes no value of env and no header anywhere', () => {
    const user = cacheOfUser();
    const { warmStart } = user.session();
    const secrets = { TOKEN: 'sk-very-secret' };
    warmStart.keep({ ...server, env: secrets }, snapshotOf('git', ['commit']), PLAIN, 1);
    warmStart.keep(httpConfig({ name: 'docs', headers: secrets }), snapshotOf('docs', ['read']), PLAIN, 1);
    const files = readdirSync(user.folder);
    expect(files).toHaveLength(2);
    for (const file of files) {
      expect(file).not.toContain('secret');
      expect(readFileSync(join(user.folder, file), 'latin1')).not.toContain('sk-very-secret');
    }
  });
});

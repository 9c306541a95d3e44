import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsift-serve-settings-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function load(file: object) {
  await writeFile(join(folder, 'toolsift.json'), JSON.stringify(file));
  return loadConfig({ env: {}, cwd: folder });
}

const failure = (file: object) =>
  load(file).then(
    () => 'no failure',
    (error: Error) => error.message,
  );

describe('"serve"', () => {
  it('is read over its defaults', async () => {
    const { serve } = await load({ serve: { port: 0, idleSessionMinutes: 1.5, drainSeconds: 2 } });
    expect(serve).toMatchObject({
      host: '127.0.0.1',
      port: 0,
      path: '/mcp',
      idleSessionMs: 90_000,
      drainMs: 2000,
    });
  });

  it.each([
    [{ port: 70_000 }, /"serve.port" must be a whole number from 0 to 65535/],
    [{ path: 'mcp' }, /"serve.path" must be a path that begins with a slash/],
    [{ publicUrl: 'mcp.example.com' }, /"serve.publicUrl" must be an address/],
    [{ prot: 1 }, /"serve.prot"|"prot"/],
  ])('complains of %j', async (serve, message) => {
    expect(await failure({ serve })).toMatch(message);
  });
});

describe('"auth"', () => {
  it('is read as written, and without defaults for what is not there', async () => {
    const { auth } = await load({ auth: { tokens: { ci: `\${NOT_SET}` } } });
    expect(auth).toEqual({ tokens: { ci: `\${NOT_SET}` } });
    const { auth: oauth } = await load({ auth: { oauth: { issuer: 'https://id.example', audience: 'a' } } });
    expect(oauth?.oauth).toEqual({
      issuer: 'https://id.example',
      audience: ['a'],
      scopes: [],
      subjectClaim: 'sub',
      clockSkewSeconds: 30,
    });
  });
});

describe('"access"', () => {
  it('is a list of rules', async () => {
    const { access } = await load({
      access: [
        { subject: 'ci', allow: ['docs'] },
        { claim: { groups: 'a' }, deny: ['docs/x'] },
      ],
    });
    expect(access).toEqual([
      { subjects: ['ci'], allow: ['docs'], deny: [] },
      { claims: { groups: 'a' }, allow: [], deny: ['docs/x'] },
    ]);
    expect((await load({})).access).toBeUndefined();
    expect((await load({ access: [] })).access).toEqual([]);
  });

  it('is refused where a rule has a key nobody knows, which would open what it was to close', async () => {
    expect(await failure({ access: [{ subjects: ['ci'], allow: ['docs'] }] })).toContain('subjects');
  });
});

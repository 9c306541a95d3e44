import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ServerConfig } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';

const url = 'https://mcp.example/mcp';

async function load(
  entry: object,
): Promise<{ server: ServerConfig | undefined; warnings: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'toolsift-login-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'toolsift.json');
  writeFileSync(file, JSON.stringify({ servers: { it: entry } }));
  const { servers, warnings } = await loadConfig({ flag: file, env: { SECRET: 's3cret' } });
  return { server: servers.get('it'), warnings };
}

it('an entry says how to log in, with variables filled in', async () => {
  const login = {
    grant: 'client_credentials',
    clientId: 'a',
    clientSecret: `\${SECRET}`,
    issuer: 'https://id.example',
  };
  const { server } = await load({ url, login });
  expect(server).toMatchObject({ kind: 'http', login: { ...login, clientSecret: 's3cret' } });
});

it('an entry that says nothing of it has nothing', async () => {
  expect((await load({ url })).server).not.toHaveProperty('login');
});

it.each([
  [{ clientSecret: 'x' }, /"login.clientSecret" needs "login.clientId" and "login.issuer"/],
  [{ grant: 'client_credentials', clientId: 'a' }, /"login.grant" is "client_credentials", which needs/],
  [{ grant: 'password' }, /"login.grant" must be one of/],
  [{ clientID: 'a' }, /"login.clientID" is/],
  [{ issuer: 'id.example' }, /"login.issuer" must be an address/],
  [{ clientId: `\${NOT_SET}` }, /NOT_SET/],
])('%o is a fault of that entry', async (login, reason) => {
  expect((await load({ url, login })).server).toMatchObject({
    kind: 'faulty',
    reason: expect.stringMatching(reason),
  });
});

it('has no effect next to a command, and says so', async () => {
  const { server, warnings } = await load({ command: 'node', login: { clientId: 'a' } });
  expect(server?.kind).toBe('stdio');
  expect(warnings.join()).toContain('"login" has no effect next to "command"');
});

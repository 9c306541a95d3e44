// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of toolsift.json are spelled so
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { jsonOf, textOf } from '../helpers/message.ts';
import { startToolsift } from '../helpers/toolsift.ts';

it('a server gets the environment of the user, its own variables, its arguments and its folder', async () => {
  const cwd = tmpdir();
  const toolsift = await startToolsift({
    servers: {
      echo: fixture('echo', ['--name', '${WHO}', '${UNSET_VARIABLE:-fallback}'], {
        env: { OWN: 'own', JOINED: 'to-${WHO}', OVERRIDDEN: 'by entry' },
        cwd,
      }),
    },
    env: { WHO: 'world', OVERRIDDEN: 'by user' },
  });
  const names = ['WHO', 'OWN', 'JOINED', 'OVERRIDDEN', 'PATH'];
  expect(jsonOf(await toolsift.invoke('echo', 'show_process', { names }))).toEqual({
    argv: ['--name', 'world', 'fallback'],
    cwd,
    env: { WHO: 'world', OWN: 'own', JOINED: 'to-world', OVERRIDDEN: 'by entry', PATH: process.env.PATH },
  });
});

it('values of env are shown nowhere and stored nowhere', async () => {
  const secret = 'hunter2-very-secret-value';
  const env = { API_TOKEN: secret, FROM_USER: '${SECRET_OF_USER}' };
  const toolsift = await startToolsift({
    servers: {
      echo: fixture('echo', [], { env }),
      broken: fixture('crash-on-start', [], { env }),
      missing: { command: 'no-such-command-anywhere', env },
      silent: fixture('never-initializes', [], { env }),
    },
    env: { SECRET_OF_USER: 'user-very-secret-value' },
    awaits: ['echo'],
  });
  const { client } = toolsift;
  const shown = [
    textOf(await toolsift.call('list_servers', {})),
    textOf(await toolsift.call('search_tools', { query: 'API_TOKEN secret value' })),
    textOf(await toolsift.invoke('broken', 'anything')),
    textOf(await toolsift.invoke('missing', 'anything')),
    (await client.ask('tools/list')).line,
  ];
  await client.close();
  const stored = readdirSync(toolsift.directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'toolsift.json')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  for (const text of [...shown, ...stored, client.stderr]) expect(text).not.toContain('very-secret-value');
});

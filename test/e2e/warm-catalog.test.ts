import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, jsonOf, textOf } from '../helpers/message.ts';
import type { Toolsift } from '../helpers/toolsift.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { type Servers, userHome } from './user-home.ts';

const SERVERS = {
  echo: fixture('echo'),
  docs: fixture('resources-prompts', ['docs']),
  slow: fixture('slow'),
  odd: fixture('odd-names'),
  bad: fixture('bad-tools'),
};
const NAMES = Object.keys(SERVERS);

/** A home in which an earlier session has listed every server. */
async function warmHome(config = {}, servers: Servers = SERVERS) {
  const home = userHome(servers, config);
  await home.warmUp(...Object.keys(servers));
  return home;
}

const listed = async ({ client }: Toolsift, method: string) => (await client.ask(method, {})).line;
const firstHit = async (session: Toolsift, query: string) =>
  at(jsonOf(await session.call('search_tools', { query })), 'tools', 0);

describe('with a catalog from an earlier session', () => {
  it('everything is listed and found with no server running, and one call starts one', async () => {
    const home = await warmHome({ pinned: ['echo/echo', 'slow/say'] });
    const session = await home.session();
    expect(await session.toolNames()).toEqual(
      expect.arrayContaining(['search_tools', 'invoke_tool', 'list_servers', 'echo', 'say']),
    );
    expect(await firstHit(session, 'repeat the arguments it was given')).toMatchObject({ server: 'echo' });
    expect(await firstHit(session, 'good one among the bad')).toMatchObject({ server: 'bad', name: 'good' });
    expect(await firstHit(session, 'show_cancelled')).toMatchObject({ server: 'slow' });
    expect(await listed(session, 'prompts/list')).toContain('docs_only');
    expect(await listed(session, 'resources/list')).toContain('docs://last');
    expect(await listed(session, 'resources/templates/list')).toContain('uriTemplate');
    for (const name of NAMES) expect(await session.server(name)).toMatchObject({ state: 'idle' });
    expect(session.pids, 'processes started').toEqual([]);

    expect(textOf(await session.call('echo', { word: 'hi' }))).toBe('{"word":"hi"}');
    expect(session.pids).toHaveLength(1);
    expect(textOf(await session.invoke('echo', 'echo', { n: 1 }))).toBe('{"n":1}');
    expect(session.pids).toHaveLength(1);
  });

  it('lists exactly what the servers wrote, as the session did that started them', async () => {
    const home = userHome(SERVERS, { pinned: ['echo/echo', 'good', 'typeless_schema'] });
    const cold = await home.session({ awaits: NAMES });
    const methods = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
    const linesOf = async (session: Toolsift) => {
      const lines = [];
      for (const method of methods) lines.push((await listed(session, method)).replace(/"id":\d+/, ''));
      const search = await session.call('search_tools', { query: 'echo', k: 50 });
      return [...lines, search.line.replace(/"id":\d+/, '')];
    };
    const before = await linesOf(cold);
    await cold.client.close();
    const warm = await home.session();
    expect(await linesOf(warm)).toEqual(before);
    expect(warm.pids).toEqual([]);
  });

  it('a client that can do other things gets it at once, and what it is shown itself a little later', async () => {
    const home = await warmHome({}, { echo: fixture('echo'), docs: SERVERS.docs });
    const session = await home.session({ capabilities: { roots: {}, elicitation: {} } });
    expect(await firstHit(session, 'repeat the arguments')).toMatchObject({ server: 'echo' });
    expect(session.pids).toEqual([]);
    await waitFor('both are read anew', () => session.pids.length === 2);
    await waitFor('both are stopped again', async () => {
      const states = [await session.server('echo'), await session.server('docs')];
      return states.every((server) => at(server, 'state') === 'idle');
    });
    expect(at(home.received('echo', 'initialize')[1]?.params, 'capabilities')).toHaveProperty('elicitation');
    await session.client.close();
    const again = await home.session({ capabilities: { roots: {}, elicitation: {} } });
    expect(await firstHit(again, 'repeat the arguments')).toMatchObject({ server: 'echo' });
    expect(home.cacheFiles(), 'one for each server and kind of client').toHaveLength(4);
  });

  it('knows nothing of a server whose environment was changed, and starts it', async () => {
    const home = await warmHome({}, { echo: fixture('echo'), slow: fixture('slow') });
    home.write({ echo: fixture('echo', [], { env: { REGION: 'eu' } }), slow: fixture('slow') });
    const session = await home.session({ awaits: ['echo', 'slow'] });
    expect(session.pids).toHaveLength(1);
    expect(await session.server('slow')).toMatchObject({ state: 'idle' });
  });

  it('keeps no value of env or headers anywhere', async () => {
    const secrets = { API_TOKEN: 'sk-very-secret-value', PASSWORD: 'hunter2-hunter2' };
    const home = userHome({ echo: fixture('echo', [], { env: secrets }) });
    await home.warmUp('echo');
    expect(home.cacheFiles()).toHaveLength(1);
    for (const [file, text] of home.everything()) {
      if (file === home.configFile) continue;
      for (const value of Object.values(secrets)) {
        expect(text, file).not.toContain(value);
        expect(text, file).not.toContain(Buffer.from(value).toString('base64').slice(0, 12));
      }
    }
  });
});

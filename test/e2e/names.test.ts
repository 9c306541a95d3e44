import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, type Json, jsonOf } from '../helpers/message.ts';
import { sharedToolsift, startToolsift } from '../helpers/toolsift.ts';

const SERVERS = ['plain', 'a__b', 'a', 'with space', 'ünï', '__proto__x', 'constructor', 'UPPER', 'toString'];
const FIRST_PINNED = 3;

describe('a server whose tools have odd names', () => {
  const toolsift = sharedToolsift({ servers: { odd: fixture('odd-names') } });
  const namesOf = async (): Promise<string[]> => {
    const answer = jsonOf(await toolsift().call('search_tools', { query: 'the tool', k: 50 }));
    const hits = at(answer, 'tools');
    return Array.isArray(hits) ? hits.map((hit) => String(at(hit, 'name'))) : [];
  };

  it('is found and invoked by these names, exactly as it spells them', async () => {
    const names = await namesOf();
    expect(names).toHaveLength(13);
    for (const name of names) expect(jsonOf(await toolsift().invoke('odd', name))).toBe(name);
  });

  it('has its pinned tools listed under names every host takes, the same each time, and callable', async () => {
    const pinned = (await namesOf()).map((name) => `odd/${name}`);
    const start = () => startToolsift({ servers: { odd: fixture('odd-names') }, pinned });
    const [one, two] = [await start(), await start()];
    const listed = (await one.toolNames()).slice(FIRST_PINNED).map(String);
    expect(listed).toHaveLength(pinned.length);
    expect(new Set([...listed, 'search_tools', 'invoke_tool', 'list_servers']).size).toBe(
      pinned.length + FIRST_PINNED,
    );
    for (const name of listed) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(await two.toolNames()).toEqual(await one.toolNames());
    const called: Json[] = [];
    for (const name of listed) called.push(jsonOf(await one.call(name, {})));
    expect(called.map((name) => `odd/${name}`).toSorted()).toEqual(pinned.toSorted());
  });
});

describe('servers with odd names', () => {
  const toolsift = sharedToolsift({
    servers: Object.fromEntries(SERVERS.map((name) => [name, fixture('echo', [name])])),
  });

  it('are told apart in the list of servers, in search and in calls', async () => {
    const listed = at(jsonOf(await toolsift().call('list_servers', {})), 'servers');
    expect(Array.isArray(listed) && listed.map((server) => at(server, 'name')).toSorted()).toEqual(
      SERVERS.toSorted(),
    );
    const hits = at(jsonOf(await toolsift().call('search_tools', { query: 'show_process', k: 20 })), 'tools');
    const found = Array.isArray(hits) ? hits.filter((hit) => at(hit, 'name') === 'show_process') : [];
    expect(found.map((hit) => at(hit, 'server')).toSorted()).toEqual(SERVERS.toSorted());
    for (const server of SERVERS) {
      expect(jsonOf(await toolsift().invoke(server, 'show_process'))).toHaveProperty('argv', [server]);
    }
  });

  it('are reached by server__name where that is no other', async () => {
    expect(jsonOf(await toolsift().call('plain__show_process', {}))).toHaveProperty('argv', ['plain']);
    expect(jsonOf(await toolsift().call('a__b__show_process', {}))).toHaveProperty('argv', ['a__b']);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accessOf } from '../../src/policy/access.ts';
import { fixture } from '../helpers/fixture.ts';
import type { HttpClient } from '../helpers/http-client.ts';
import { at, type Json, jsonOf, textOf } from '../helpers/message.ts';
import { startServing } from '../helpers/serving.ts';
import { waitFor } from '../helpers/wait-for.ts';

const TOKENS = { alice: 'token-of-alice', bob: 'token-of-bob' };
const SERVERS = {
  docs: fixture('resources-prompts', ['docs']),
  mail: fixture('resources-prompts', ['mail']),
  echo: fixture('echo'),
};
const TOOLS = ['link', 'touch', 'add_prompt', 'add_resource'];

/** Everything a client can come to know of, as `kind server/item`. */
async function everythingSeenBy(client: HttpClient): Promise<Set<string>> {
  const seen = new Set<string>();
  const servers = at(jsonOf(await client.call('list_servers')), 'servers');
  for (const server of Array.isArray(servers) ? servers : []) {
    const name = String(at(server, 'name'));
    seen.add(`server ${name}`);
    const search = at(jsonOf(await client.call('search_tools', { query: '', server: name })), 'tools');
    for (const tool of Array.isArray(search) ? search : [])
      seen.add(`tool ${name}/${at(tool, 'name') ?? tool}`);
  }
  for (const [method, key, member] of [
    ['resources/list', 'resources', 'uri'],
    ['resources/templates/list', 'resourceTemplates', 'uriTemplate'],
    ['prompts/list', 'prompts', 'name'],
  ] as const) {
    const items = at((await client.ask(method)).result, key);
    for (const item of Array.isArray(items) ? items : []) seen.add(`${key} ${at(item, member)}`);
  }
  return seen;
}

describe('two callers with different grants', () => {
  it('see, find, read, complete and call what is theirs, and nothing tells them of the rest', async () => {
    const serving = await startServing({
      servers: SERVERS,
      config: {
        auth: { tokens: TOKENS },
        pinned: ['mail/touch', 'docs/link'],
        access: [
          { subject: 'alice', allow: ['docs', 'echo'] },
          {
            subject: 'bob',
            allow: ['mail', 'docs/touch'],
            deny: ['mail/link', 'mail/mail://last', 'mail/review'],
          },
        ],
      },
    });
    const alice = await serving.connect({ token: TOKENS.alice });
    const bob = await serving.connect({ token: TOKENS.bob });
    await alice.listed('docs', 'echo');
    await bob.listed('mail');

    const [ofAlice, ofBob] = [await everythingSeenBy(alice), await everythingSeenBy(bob)];
    expect([...ofAlice].filter((item) => item.includes('mail'))).toEqual([]);
    expect([...ofBob].filter((item) => item.includes('echo') || item.includes('docs://'))).toEqual([]);
    expect(ofBob).toContain('server docs');
    expect(ofBob).toContain('prompts mail_only');
    expect(ofBob).not.toContain('prompts review');
    expect(ofBob).toContain('resources mail://first');
    expect(ofBob).not.toContain('resources mail://last');

    const names = async (client: HttpClient) => JSON.stringify((await client.ask('tools/list')).result);
    expect(await names(alice)).not.toContain('mail');
    expect(await names(bob)).not.toContain('"link"');

    expect((await alice.invoke('docs', 'link')).line).toContain('resource_link');
    expect(textOf(await bob.invoke('docs', 'touch', { uri: 'docs://first' }))).not.toContain('unknown');
    expect((await bob.ask('resources/read', { uri: 'mail://first' })).result).toBeDefined();
    expect(
      (await alice.ask('prompts/get', { name: 'docs_only', arguments: { topic: 'x' } })).result,
    ).toBeDefined();
  });

  it('get for what is denied the answer they get for what does not exist', async () => {
    const serving = await startServing({
      servers: SERVERS,
      config: {
        auth: { tokens: TOKENS },
        access: [
          { subject: 'bob', allow: ['mail', 'docs/touch'], deny: ['mail/link'] },
          { subject: 'alice', allow: ['*'] },
        ],
      },
    });
    const alice = await serving.connect({ token: TOKENS.alice });
    const bob = await serving.connect({ token: TOKENS.bob });
    await alice.listed('docs', 'mail', 'echo');
    await bob.listed('mail', 'docs');
    const told = async (method: string, params: Json) => {
      const { result, error } = await bob.ask(method, params);
      return JSON.stringify(result ?? error);
    };
    const invoke = (server: string, name: string) =>
      told('tools/call', { name: 'invoke_tool', arguments: { server, name, arguments: {} } });
    const pairs: [denied: Promise<string>, missing: Promise<string>, names: [string, string]][] = [
      [invoke('mail', 'link'), invoke('mail', 'lonk'), ['link', 'lonk']],
      [invoke('docs', 'link'), invoke('docs', 'lonk'), ['link', 'lonk']],
      [invoke('echo', 'echo'), invoke('ecko', 'echo'), ['"echo\\', '"ecko\\']],
      [
        told('tools/call', { name: 'mail__link' }),
        told('tools/call', { name: 'mail__lonk' }),
        ['link', 'lonk'],
      ],
      [
        told('resources/read', { uri: 'docs://first' }),
        told('resources/read', { uri: 'dogs://first' }),
        ['docs:', 'dogs:'],
      ],
      [
        told('resources/read', { uri: 'docs://item/1' }),
        told('resources/read', { uri: 'dogs://item/1' }),
        ['docs:', 'dogs:'],
      ],
      [
        told('resources/subscribe', { uri: 'docs://last' }),
        told('resources/subscribe', { uri: 'dogs://last' }),
        ['docs:', 'dogs:'],
      ],
      [
        told('prompts/get', { name: 'docs_only' }),
        told('prompts/get', { name: 'dogs_only' }),
        ['docs_only', 'dogs_only'],
      ],
      [
        told('completion/complete', {
          ref: { type: 'ref/prompt', name: 'docs_only' },
          argument: { name: 'topic', value: '' },
        }),
        told('completion/complete', {
          ref: { type: 'ref/prompt', name: 'dogs_only' },
          argument: { name: 'topic', value: '' },
        }),
        ['docs_only', 'dogs_only'],
      ],
      [
        told('completion/complete', {
          ref: { type: 'ref/resource', uri: 'docs://item/{id}' },
          argument: { name: 'id', value: '' },
        }),
        told('completion/complete', {
          ref: { type: 'ref/resource', uri: 'dogs://item/{id}' },
          argument: { name: 'id', value: '' },
        }),
        ['docs:', 'dogs:'],
      ],
    ];
    for (const [denied, missing, [name, other]] of pairs) {
      expect((await denied).replaceAll(name, other)).toBe(await missing);
    }
    const search = async (query: string) => JSON.stringify(jsonOf(await bob.call('search_tools', { query })));
    expect(await search('echo text back')).not.toContain('echo"');
    expect(JSON.stringify(jsonOf(await bob.call('list_servers')))).not.toContain('toolsift.json');
  });

  it('begin anew when the rules change, with what they may use now', async () => {
    const auth = { tokens: TOKENS };
    const options = {
      servers: { echo: fixture('echo') },
      config: { auth, access: [{ subject: 'bob', allow: ['echo'] }] },
    };
    const serving = await startServing(options);
    const bob = await serving.connect({ token: TOKENS.bob });
    await bob.listed('echo');
    serving.configure({ ...options, config: { auth, access: [{ subject: 'alice', allow: ['echo'] }] } });
    await waitFor(
      'the session has ended',
      async () => (await bob.post('{"jsonrpc":"2.0","id":1,"method":"ping"}')).status === 404,
    );
    const again = await serving.connect({ token: TOKENS.bob });
    expect(at(jsonOf(await again.call('list_servers')), 'servers')).toEqual([]);
  });
});

describe('any rules', () => {
  it('show each caller what they allow it, and nothing else', async () => {
    const patterns = fc.constantFrom(
      '*',
      'docs',
      'mail',
      'docs/touch',
      'docs/add_*',
      'mail/link',
      '*/touch',
      'docs/docs://*',
      'mail/review',
    );
    const rules = fc.array(
      fc.record(
        {
          subject: fc.constantFrom('alice', 'bob', '*'),
          allow: fc.array(patterns, { maxLength: 3 }),
          deny: fc.array(patterns, { maxLength: 2 }),
        },
        { requiredKeys: ['allow', 'deny'] },
      ),
      { maxLength: 3 },
    );
    const servers = { docs: SERVERS.docs, mail: SERVERS.mail };
    const serving = await startServing({ servers, config: { auth: { tokens: TOKENS } } });
    const first = await serving.connect({ token: TOKENS.alice });
    await first.listed('docs', 'mail');
    let count = 0;
    await fc.assert(
      fc.asyncProperty(rules, async (access) => {
        // Never what it was before, so that every edit ends the sessions.
        const own = [...access, { subject: `nobody-${count++}`, allow: [] }];
        const before = serving.log.split('sessions begin anew').length;
        serving.configure({ servers, config: { auth: { tokens: TOKENS }, access: own } });
        await waitFor(
          'the rules are taken over',
          () => serving.log.split('sessions begin anew').length > before,
        );
        for (const subject of ['alice', 'bob'] as const) {
          const expected = accessOf(
            { subject, claims: {} },
            own.map(({ subject: one, ...rule }) => ({
              deny: [],
              ...rule,
              ...(one === undefined ? {} : { subjects: [one] }),
            })),
          );
          const seen = await everythingSeenBy(await serving.connect({ token: TOKENS[subject] }));
          for (const server of ['docs', 'mail']) {
            expect(seen.has(`server ${server}`)).toBe(expected.seesServer(server));
            for (const tool of TOOLS)
              expect(seen.has(`tool ${server}/${tool}`)).toBe(expected.allows(server, tool));
            expect(seen.has(`resources ${server}://first`)).toBe(
              expected.allows(server, `${server}://first`),
            );
            expect(seen.has(`prompts ${server}_only`)).toBe(expected.allows(server, `${server}_only`));
          }
        }
      }),
      { numRuns: 8 },
    );
  }, 120_000);
});

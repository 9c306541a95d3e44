import { describe, expect, it } from 'vitest';
import { fixture, type ServerEntry } from '../helpers/fixture.ts';
import { type Answer, at, type Json } from '../helpers/message.ts';
import { textAt } from '../helpers/raw-json.ts';
import { sharedToolsift, startToolsift } from '../helpers/toolsift.ts';
import { waitFor } from '../helpers/wait-for.ts';

const toolsift = sharedToolsift({
  servers: {
    alpha: fixture('resources-prompts', ['alpha']),
    beta: fixture('resources-prompts', ['beta']),
    echo: fixture('echo'),
  },
});
const ask = (method: string, params: Json = {}): Promise<Answer> => toolsift().client.ask(method, params);
const listOf = (answer: Answer, key: string): Json[] => {
  const list = at(answer.result, key);
  return Array.isArray(list) ? list : [];
};
const fieldOf = async (method: string, key: string, field: string) =>
  listOf(await ask(method), key).map((item) => at(item, field));
const readText = async (uri: Json | undefined) =>
  at((await ask('resources/read', { uri: uri ?? null })).result, 'contents', 0, 'text');

/** Counts the notices of one kind that the client has got so far. */
function announcements(method: string): () => number {
  return () => toolsift().client.notifications.filter((notice) => notice.method === method).length;
}

describe('resources', () => {
  it('of all servers and pages are in one list, as they were described', async () => {
    const resources = listOf(await ask('resources/list'), 'resources');
    expect(resources).toContainEqual({
      uri: 'alpha://first',
      name: 'first',
      description: 'First of alpha',
      mimeType: 'text/plain',
      'x-extra': 1,
    });
    const uris = resources.map((resource) => at(resource, 'uri'));
    expect(uris).toEqual(expect.arrayContaining(['alpha://last', 'beta://first', 'beta://last']));
    expect(resources).toHaveLength(6);
  });

  it('are read from the server they belong to, untouched', async () => {
    const answer = await ask('resources/read', { uri: 'beta://last' });
    expect(textAt(answer.line, 'result')).toBe(
      '{"contents":[{"uri":"beta://last","mimeType":"text/plain","text":"beta://last read from beta"}],"x-extra":"beta"}',
    );
  });

  it('that two servers call the same are told apart, and both can be read', async () => {
    const resources = listOf(await ask('resources/list'), 'resources');
    for (const server of ['alpha', 'beta']) {
      const notes = resources.find((resource) => at(resource, 'description') === `Notes of ${server}`);
      expect(await readText(at(notes, 'uri'))).toContain(`read from ${server}`);
    }
    expect(new Set(resources.map((resource) => at(resource, 'uri'))).size).toBe(6);
  });

  it('can be read by the templates of their server', async () => {
    const templates = await fieldOf('resources/templates/list', 'resourceTemplates', 'uriTemplate');
    expect(templates.toSorted()).toEqual(['alpha://item/{id}', 'beta://item/{id}']);
    expect(await readText('beta://item/42')).toBe('beta://item/42 read from beta');
  });

  it('that a tool result links to can be read, though they are on no list', async () => {
    const link = at((await toolsift().invoke('beta', 'link')).result, 'content', 0, 'uri');
    expect(link).toBe('beta://hidden/linked');
    expect(await readText(link)).toBe('beta://hidden/linked read from beta');
  });

  it('that nobody has are an error of the protocol', async () => {
    expect((await ask('resources/read', { uri: 'gamma://nothing' })).error).toMatchObject({ code: -32002 });
  });

  it('are watched at their server, until the client looks away', async () => {
    const uri = 'alpha://first';
    const updates = () =>
      toolsift().client.notifications.filter((one) => one.method === 'notifications/resources/updated');
    expect((await ask('resources/subscribe', { uri })).result).toEqual({});
    await toolsift().invoke('alpha', 'touch', { uri });
    await waitFor('the update', () => updates().length === 1);
    expect(updates()[0]?.params).toEqual({ uri, 'x-extra': true });
    expect((await ask('resources/unsubscribe', { uri })).result).toEqual({});
    expect(toolsift().received('alpha', 'resources/unsubscribe')).toHaveLength(1);
    expect(toolsift().received('beta', 'resources/subscribe')).toEqual([]);
    await toolsift().invoke('alpha', 'touch', { uri });
    expect(updates()).toHaveLength(1);
  });

  it('that change on a server change here', async () => {
    const announced = announcements('notifications/resources/list_changed');
    const before = announced();
    await toolsift().invoke('beta', 'add_resource', { uri: 'beta://new' });
    await waitFor('the change is announced', () => announced() > before);
    expect(await fieldOf('resources/list', 'resources', 'uri')).toContain('beta://new');
  });
});

describe('prompts', () => {
  it('keep their name when it is the only one, else carry their server', async () => {
    const names = await fieldOf('prompts/list', 'prompts', 'name');
    expect(names.toSorted()).toEqual(['alpha__review', 'alpha_only', 'beta__review', 'beta_only']);
  });

  it.each([
    ['alpha_only', 'alpha_only of alpha with {"topic":"t"}'],
    ['beta__review', 'review of beta with {"topic":"t"}'],
  ])('%s comes from its server, by the name it has there', async (name, text) => {
    const answer = await ask('prompts/get', { name, arguments: { topic: 't' } });
    expect(at(answer.result, 'messages', 0, 'content', 'text')).toBe(text);
  });

  it('that nobody has are an error of the protocol', async () => {
    expect((await ask('prompts/get', { name: 'no_such_prompt' })).error).toMatchObject({ code: -32602 });
  });

  it('are completed by their server', async () => {
    const argument = { name: 'topic', value: 'x' };
    const complete = async (ref: Json) => (await ask('completion/complete', { ref, argument })).result;
    expect(await complete({ type: 'ref/prompt', name: 'alpha_only' })).toMatchObject({
      completion: { values: ['alpha:x'] },
    });
    expect(await complete({ type: 'ref/prompt', name: 'beta__review' })).toMatchObject({
      completion: { values: ['beta:x'] },
      'x-ref': { name: 'review' },
    });
    expect(await complete({ type: 'ref/resource', uri: 'beta://item/{id}' })).toMatchObject({
      completion: { values: ['beta:x'] },
    });
  });

  it('that change on a server change here', async () => {
    const announced = announcements('notifications/prompts/list_changed');
    const before = announced();
    await toolsift().invoke('alpha', 'add_prompt', { name: 'added' });
    await waitFor('the change is announced', () => announced() > before);
    expect(await fieldOf('prompts/list', 'prompts', 'name')).toContain('added');
  });
});

it('a server without prompts and resources is not asked for any', async () => {
  await ask('prompts/list');
  await ask('resources/list');
  const methods = toolsift()
    .received('echo')
    .map((message) => message.method);
  expect(
    methods.filter((method) => method?.startsWith('prompts/') || method?.startsWith('resources/')),
  ).toEqual([]);
});

it('what toolsift declares is what its servers may have', async () => {
  const declaredWith = async (servers: Record<string, ServerEntry>) => {
    const toolsift = await startToolsift({ servers, initializes: false });
    return at((await toolsift.client.initialize()).result, 'capabilities');
  };
  expect(await declaredWith({})).toEqual({ tools: { listChanged: true } });
  expect(await declaredWith({ unknown: fixture('resources-prompts') })).toMatchObject({
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  });
});

import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/catalog/catalog.ts';
import { PromptDirectory } from '../../../src/downstream/lists/prompt-directory.ts';
import { snapshotOf } from '../../catalog/samples.ts';
import { FakeUpstream, viewsOf } from '../fake-upstream.ts';

function directoryOf(offers: Readonly<Record<string, readonly string[]>>) {
  const catalog = new Catalog(() => {});
  const put = (server: string, prompts: readonly string[]) =>
    catalog.replaceUpstream(server, snapshotOf(server, [], { prompts }));
  for (const [server, prompts] of Object.entries(offers)) put(server, prompts);
  const directory = new PromptDirectory(
    catalog,
    viewsOf(...Object.keys(offers).map((name) => new FakeUpstream(name))),
  );
  const find = (name: string) => {
    const found = directory.find(name);
    return found === undefined ? undefined : `${found.server}/${found.name}`;
  };
  return { directory, put, find };
}

describe('the list of prompts', () => {
  it('keeps names that are unique and everything else as it was written', () => {
    const odd = '{ "arguments":[1.0], "name" : "\\u0061" }';
    const { directory, find } = directoryOf({ s: [odd, '{"name":"b"}'] });
    expect(directory.prompts).toEqual([odd, '{"name":"b"}']);
    expect([find('a'), find('s__a'), find('c')]).toEqual(['s/a', 's/a', undefined]);
  });

  it('qualifies names of two servers, and knows both again', () => {
    const { directory, find } = directoryOf({ s: ['{"n":1.0,"name":"p"}'], t: ['{"name":"p"}'] });
    expect(directory.prompts).toEqual(['{"n":1.0,"name":"s__p"}', '{"name":"t__p"}']);
    expect([find('s__p'), find('t__p'), find('p')]).toEqual(['s/p', 't/p', undefined]);
  });

  it('lets the first of a name of one server count, and leaves out what has none', () => {
    const { directory } = directoryOf({
      s: ['null', '{}', '{"name":"p","n":1}', '{"name":"p","n":2}', '{"name":7}'],
    });
    expect(directory.prompts).toEqual(['{"name":"p","n":1}']);
  });

  it('follows the catalog once it is told of a change', () => {
    const { directory, put } = directoryOf({ s: ['{"name":"p"}'] });
    expect(directory.prompts).toEqual(['{"name":"p"}']);
    put('s', ['{"name":"q"}']);
    directory.refresh();
    expect(directory.prompts).toEqual(['{"name":"q"}']);
  });
});

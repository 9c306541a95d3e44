import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/catalog/catalog.ts';
import { Owners } from '../../../src/downstream/lists/owners.ts';
import { ResourceDirectory } from '../../../src/downstream/lists/resource-directory.ts';
import { snapshotOf } from '../../catalog/samples.ts';
import { FakeUpstream, viewsOf } from '../fake-upstream.ts';

interface Offer {
  readonly resources?: readonly string[];
  readonly resourceTemplates?: readonly string[];
}

function directoryOf(offers: Readonly<Record<string, Offer>>) {
  const catalog = new Catalog(() => {});
  const put = (server: string, offer: Offer) =>
    catalog.replaceUpstream(server, snapshotOf(server, [], offer));
  for (const [server, offer] of Object.entries(offers)) put(server, offer);
  const upstreams = viewsOf(...Object.keys(offers).map((name) => new FakeUpstream(name)));
  return {
    directory: new ResourceDirectory({ catalog, upstreams, links: new Owners(10_000) }),
    upstreams,
    put,
  };
}

const resource = (uri: string) => JSON.stringify({ uri, name: uri });
const template = (uriTemplate: string) => JSON.stringify({ uriTemplate });

describe('the list of resources', () => {
  it('has every resource of every server, in order, exactly as it was written', () => {
    const odd = '{ "name":"\\u0061", "uri" : "x:\\u0031", "size":1.0 }';
    const { directory } = directoryOf({
      a: { resources: [odd, resource('x:2')] },
      b: { resources: [resource('y:1')] },
    });
    expect(directory.resources).toEqual([odd, resource('x:2'), resource('y:1')]);
    expect(directory.ownerOf('x:1')).toEqual({ server: 'a', uri: 'x:1' });
  });

  it('leaves out what has no URI', () => {
    const bad = ['null', '7', '[]', '{}', '{"uri":7}', '{"uri":""}', '{"uri"', 'x'];
    expect(directoryOf({ a: { resources: bad } }).directory.resources).toEqual([]);
  });

  it('shows a URI of two servers under a prefix for the later one, and knows both again', () => {
    const { directory } = directoryOf({
      'a b': { resources: [resource('x:1')] },
      'c:d': { resources: ['{"uri":"x:1","n":1.0}'] },
    });
    expect(directory.resources).toEqual([resource('x:1'), '{"uri":"toolsift:c%3Ad:x:1","n":1.0}']);
    expect(directory.ownerOf('x:1')).toEqual({ server: 'a b', uri: 'x:1' });
    expect(directory.ownerOf('toolsift:c%3Ad:x:1')).toEqual({ server: 'c:d', uri: 'x:1' });
    expect(directory.ownerOf('toolsift:a%20b:x:1')).toEqual({ server: 'a b', uri: 'x:1' });
  });

  it('leads from every shown URI back to the server and the URI it is of', () => {
    const uris = fc.uniqueArray(fc.constantFrom('x:1', 'x:2', 'file:///a b', 'y:\u00e9', 'z'), {
      maxLength: 5,
    });
    const servers = fc.uniqueArray(fc.constantFrom('a', 'b', 'c d', 'e:f', 'g/h'), { minLength: 1 });
    fc.assert(
      fc.property(servers, fc.array(uris, { minLength: 5, maxLength: 5 }), (names, lists) => {
        const offers = names.map((name, index) => [name, lists[index] ?? []] as const);
        const { directory } = directoryOf(
          Object.fromEntries(offers.map(([name, list]) => [name, { resources: list.map(resource) }])),
        );
        const shown = directory.resources.map((item) => (JSON.parse(item) as { uri: string }).uri);
        expect(new Set(shown).size).toBe(shown.length);
        expect(shown.map((uri) => directory.ownerOf(uri))).toEqual(
          offers.flatMap(([server, list]) => list.map((uri) => ({ server, uri }))),
        );
      }),
    );
  });
});

describe('the owner of a URI', () => {
  it('is who lists it or has a template for it, whoever else names it in a result', () => {
    const { directory } = directoryOf({
      a: { resources: [resource('x:1')], resourceTemplates: [template('db://{t}')] },
      b: {},
    });
    expect(directory.rememberLink('x:1', 'b')).toBe('a');
    expect(directory.rememberLink('db://users', 'b')).toBe('a');
    expect(directory.rememberLink('x:1', 'a')).toBeUndefined();
    expect(directory.ownerOf('x:1')).toEqual({ server: 'a', uri: 'x:1' });
    expect(directory.ownerOf('db://users')).toEqual({ server: 'a', uri: 'db://users' });
  });

  it('is the first to name it where nobody lists it, until that server is gone', () => {
    const { directory, upstreams } = directoryOf({ b: {}, c: {} });
    expect(directory.rememberLink('x:1', 'b')).toBeUndefined();
    expect(directory.rememberLink('x:1', 'c')).toBe('b');
    expect(directory.ownerOf('x:1')).toEqual({ server: 'b', uri: 'x:1' });
    upstreams.delete('b');
    expect(directory.rememberLink('x:1', 'c')).toBeUndefined();
    expect(directory.ownerOf('x:1')).toEqual({ server: 'c', uri: 'x:1' });
  });

  it('is nobody by a template that would claim every URI', () => {
    const { directory } = directoryOf({ a: { resourceTemplates: [template('{+any}')] }, b: {} });
    directory.rememberLink('x:1', 'b');
    expect(directory.ownerOf('x:1')).toEqual({ server: 'b', uri: 'x:1' });
    expect(directory.ownerOf('y:1')).toBeUndefined();
  });

  it('is found by a template when no list names it', () => {
    const { directory } = directoryOf({
      a: { resourceTemplates: [template('db://{t}')] },
      b: { resourceTemplates: [template('file:///{+path}'), 'null'] },
    });
    expect(directory.ownerOf('file:///a/b')).toEqual({ server: 'b', uri: 'file:///a/b' });
    expect(directory.ownerOf('db://a/b')).toBeUndefined();
    expect(directory.ownerOfTemplate('db://{t}')).toEqual({ server: 'a', uri: 'db://{t}' });
    expect(directory.ownerOfTemplate('db://x')).toEqual({ server: 'a', uri: 'db://x' });
  });

  it('is the later server for a template of two that is shown with a prefix', () => {
    const { directory } = directoryOf({
      a: { resourceTemplates: [template('db://{t}')] },
      b: { resourceTemplates: [template('db://{t}')] },
    });
    expect(directory.templates).toEqual([template('db://{t}'), template('toolsift:b:db://{t}')]);
    expect(directory.ownerOf('toolsift:b:db://users')).toEqual({ server: 'b', uri: 'db://users' });
    expect(directory.ownerOfTemplate('toolsift:b:db://{t}')).toEqual({ server: 'b', uri: 'db://{t}' });
  });

  it('is nobody for a prefix of no server', () => {
    expect(directoryOf({ a: {} }).directory.ownerOf('toolsift:gone:x:1')).toBeUndefined();
  });

  it('forgets the oldest of very many links', () => {
    const { directory } = directoryOf({ a: {} });
    for (let count = 0; count <= 10_000; count++) directory.rememberLink(`x:${count}`, 'a');
    expect([directory.ownerOf('x:0'), directory.ownerOf('x:1')?.server]).toEqual([undefined, 'a']);
  });
});

describe('a change of the catalog', () => {
  it('is followed once the directory is told of it', () => {
    const { directory, put } = directoryOf({ a: { resources: [resource('x:1')] } });
    expect(directory.resources).toEqual([resource('x:1')]);
    put('a', { resources: [resource('x:2')], resourceTemplates: [template('x:{n}')] });
    directory.refresh();
    expect([directory.resources, directory.templates]).toEqual([[resource('x:2')], [template('x:{n}')]]);
    expect(directory.ownerOf('x:1')).toEqual({ server: 'a', uri: 'x:1' });
    expect(directory.ownerOf('y:1')).toBeUndefined();
  });
});

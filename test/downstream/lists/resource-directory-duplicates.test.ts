import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/catalog/catalog.ts';
import { Owners } from '../../../src/downstream/lists/owners.ts';
import { ResourceDirectory } from '../../../src/downstream/lists/resource-directory.ts';
import { snapshotOf } from '../../catalog/samples.ts';
import { FakeUpstream, viewsOf } from '../fake-upstream.ts';

function directoryOf(offers: Record<string, { resources?: string[]; resourceTemplates?: string[] }>) {
  const catalog = new Catalog(() => {});
  for (const [server, offer] of Object.entries(offers))
    catalog.replaceUpstream(server, snapshotOf(server, [], offer));
  return new ResourceDirectory({
    catalog,
    upstreams: viewsOf(...Object.keys(offers).map((name) => new FakeUpstream(name))),
    links: new Owners(10),
  });
}

const X = '{"uri":"x:1"}';
const T = '{"uriTemplate":"x:{n}"}';

describe('a server that lists the same thing twice', () => {
  it('has it shown once, also where another server has it too', () => {
    expect(directoryOf({ a: { resources: [X, X] } }).resources).toEqual([X]);
    expect(directoryOf({ a: { resources: [X] }, b: { resources: [X, X] } }).resources).toEqual([
      X,
      '{"uri":"toolsift:b:x:1"}',
    ]);
  });

  it('is not in conflict with itself over a template', () => {
    expect(directoryOf({ a: { resourceTemplates: [T, T] } }).templates).toEqual([T]);
  });
});

describe('a server whose own URIs begin like our prefix', () => {
  it('has them shown under our prefix, so that it cannot speak for another', () => {
    const uri = 'toolsift:b:x:1';
    const directory = directoryOf({ a: { resources: [JSON.stringify({ uri })] }, b: {} });
    expect(directory.resources).toEqual([JSON.stringify({ uri: `toolsift:a:${uri}` })]);
    expect(directory.ownerOf(`toolsift:a:${uri}`)).toEqual({ server: 'a', uri });
    expect(directory.ownerOf(uri)).toEqual({ server: 'b', uri: 'x:1' });
  });
});

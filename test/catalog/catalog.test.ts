import { describe, expect, it } from 'vitest';
import { Catalog, type CatalogChange } from '../../src/catalog/catalog.ts';
import { readTools } from '../../src/catalog/catalog-tool.ts';
import { snapshotOf, toolText } from './samples.ts';

function open() {
  const changes: CatalogChange[] = [];
  return { catalog: new Catalog((change) => changes.push(change)), changes };
}

/** A change of one server: the parts named are new. */
function change(server: string, ...parts: ('tools' | 'resources' | 'prompts')[]): CatalogChange {
  const [tools, resources, prompts] = (['tools', 'resources', 'prompts'] as const).map((part) =>
    parts.includes(part),
  );
  return { server, tools: tools === true, resources: resources === true, prompts: prompts === true };
}

const full = snapshotOf('a', ['x'], { resources: ['{"uri":"a:1"}'], prompts: ['{"name":"p"}'] });

describe('Catalog', () => {
  it('announces the first snapshot of a server with what it holds', () => {
    const { catalog, changes } = open();
    catalog.replaceUpstream('a', full);
    catalog.replaceUpstream('b', snapshotOf('b', ['x']));
    expect(changes).toEqual([change('a', 'tools', 'resources', 'prompts'), change('b', 'tools')]);
  });

  it('announces a first snapshot that is empty, since the server is known now', () => {
    const { catalog, changes } = open();
    catalog.replaceUpstream('a', snapshotOf('a', []));
    expect(changes).toEqual([change('a')]);
    expect(catalog.upstream('a')?.tools.size).toBe(0);
  });

  it('announces nothing when everything is as before', () => {
    const { catalog, changes } = open();
    catalog.replaceUpstream('a', full);
    catalog.replaceUpstream('a', { ...full, tools: readTools('a', [toolText('x')]) });
    expect(changes).toHaveLength(1);
  });

  it.each([
    ['tools', { tools: readTools('a', [toolText('y')]) }],
    ['tools', { tools: [...full.tools, ...readTools('a', [toolText('y')])] }],
    ['tools', { tools: readTools('a', [toolText('x', { title: 'X' })]) }],
    ['resources', { resources: [] }],
    ['resources', { resourceTemplates: ['{"uriTemplate":"a:{b}"}'] }],
    ['prompts', { prompts: ['{"name":"p","title":"P"}'] }],
  ] as const)('announces that %s alone are new', (part, more) => {
    const { catalog, changes } = open();
    catalog.replaceUpstream('a', full);
    catalog.replaceUpstream('a', { ...full, ...more });
    expect(changes.slice(1)).toEqual([change('a', part)]);
  });

  it('announces a new order, which is what clients see', () => {
    const { catalog, changes } = open();
    catalog.replaceUpstream('a', snapshotOf('a', ['x', 'y']));
    catalog.replaceUpstream('a', snapshotOf('a', ['y', 'x']));
    expect(changes).toHaveLength(2);
    expect([...(catalog.upstream('a')?.tools.keys() ?? [])]).toEqual(['y', 'x']);
  });

  it('keeps a new initialize result without announcing a change of lists', () => {
    const { catalog, changes } = open();
    catalog.replaceUpstream('a', full);
    catalog.replaceUpstream('a', { ...full, initializeResult: '{"instructions":"new"}' });
    expect(changes).toHaveLength(1);
    expect(catalog.upstream('a')?.snapshot.initializeResult).toBe('{"instructions":"new"}');
  });

  it('forgets a server with what it held, and announces that once', () => {
    const { catalog, changes } = open();
    catalog.replaceUpstream('a', full);
    catalog.removeUpstream('a');
    catalog.removeUpstream('a');
    catalog.removeUpstream('never');
    expect(changes.slice(1)).toEqual([change('a', 'tools', 'resources', 'prompts')]);
    expect([catalog.upstream('a'), catalog.tool('a', 'x'), catalog.toolCount]).toEqual([
      undefined,
      undefined,
      0,
    ]);
  });

  it('has the new state already when it announces it', () => {
    const seen: (number | undefined)[] = [];
    const catalog: Catalog = new Catalog(({ server }) => seen.push(catalog.upstream(server)?.tools.size));
    catalog.replaceUpstream('a', full);
    catalog.removeUpstream('a');
    expect(seen).toEqual([1, undefined]);
  });

  it('finds a tool by server and name, each exactly as spelled', () => {
    const { catalog } = open();
    catalog.replaceUpstream('a', snapshotOf('a', ['x', 'A__x']));
    catalog.replaceUpstream('A', snapshotOf('A', ['x']));
    expect(catalog.tool('a', 'x')).toEqual({ server: 'a', name: 'x', definition: toolText('x') });
    expect(catalog.tool('A', 'x')?.server).toBe('A');
    expect([catalog.tool('a', 'X'), catalog.tool('b', 'x')]).toEqual([undefined, undefined]);
    expect(catalog.toolCount).toBe(3);
  });
});

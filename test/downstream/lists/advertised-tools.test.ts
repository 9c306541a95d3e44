import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/catalog/catalog.ts';
import { AdvertisedTools } from '../../../src/downstream/lists/advertised-tools.ts';
import { alwaysLoaded } from '../../../src/downstream/lists/always-loaded.ts';
import { snapshotOf, toolText } from '../../catalog/samples.ts';
import { FakeUpstream, viewsOf } from '../fake-upstream.ts';

const META = ['search_tools', 'invoke_tool', 'list_servers'];

function open(pinned: string[], ...upstreams: FakeUpstream[]) {
  const catalog = new Catalog(() => {});
  const pins = { now: pinned };
  const views = viewsOf(...upstreams);
  const advertised = new AdvertisedTools({
    catalog,
    upstreams: views,
    holders: new Map(),
    pinned: () => pins.now,
  });
  const names = () => (JSON.parse(advertised.list) as { name: string }[]).map(({ name }) => name);
  /** Whether the list came out different. */
  const refresh = () => {
    const before = advertised.list;
    advertised.refresh();
    return advertised.list !== before;
  };
  const put = (server: string, tools: string[]) => {
    catalog.replaceUpstream(server, snapshotOf(server, tools));
    return refresh();
  };
  return { advertised, names, put, pins, refresh, views };
}

const server = (name: string, state = 'ready') => new FakeUpstream(name, { state });

describe('the advertised tools', () => {
  it('are the meta-tools alone while nothing is pinned, however many tools there are', () => {
    const { names, put } = open([], server('a'));
    const isNew = put(
      'a',
      Array.from({ length: 500 }, (_, index) => `t${index}`),
    );
    expect([names(), isNew]).toEqual([META, false]);
  });

  it('have the pinned ones behind them, as their servers wrote them, in the order of the pins', () => {
    const { advertised, names, put } = open(['y', 'a/x'], server('a'));
    const x = toolText('x', { icons: [], 'x-own': 1 });
    expect(put('a', [x, toolText('y')])).toBe(true);
    expect(names()).toEqual([...META, 'y', 'x']);
    expect(advertised.list.endsWith(`${alwaysLoaded(toolText('y'))},${alwaysLoaded(x)}]`)).toBe(true);
    expect(advertised.unmatchedPins).toEqual([]);
  });

  it('keep the names the client has read, whatever other servers name their tools later', () => {
    const { advertised, names, put } = open(['deploy'], server('evil'), server('good'));
    put('good', ['deploy']);
    advertised.clientHasRead();
    expect(put('evil', ['deploy'])).toBe(true);
    expect(names()).toEqual([...META, 'evil__deploy', 'deploy']);
    expect(advertised.find('deploy')?.server).toBe('good');
    expect(advertised.ambiguousPins).toEqual(['deploy']);
    put('good', []);
    expect(names()).toEqual([...META, 'evil__deploy']);
    expect(advertised.find('deploy')).toBeUndefined();
  });

  it('never take the name of a meta-tool', () => {
    const { advertised, names, put } = open(['search_tools'], server('a'));
    put('a', ['search_tools']);
    expect(names()).toEqual([...META, 'a__search_tools']);
    expect(advertised.find('a__search_tools')?.name).toBe('search_tools');
  });

  it('are new only when what is listed is new', () => {
    const { put } = open(['x'], server('a'), server('b'));
    expect(put('a', ['x', 'other'])).toBe(true);
    expect(put('a', ['x', 'another'])).toBe(false);
    expect(put('b', ['unpinned'])).toBe(false);
    expect(put('b', ['x'])).toBe(true);
    expect(put('b', [])).toBe(true);
  });

  it('follow new pins and new servers', () => {
    const { advertised, names, put, pins, refresh, views } = open(['x'], server('a'));
    put('a', ['x', 'y']);
    pins.now = ['y', 'nope'];
    expect([refresh(), names().slice(3), advertised.unmatchedPins]).toEqual([true, ['y'], ['nope']]);
    views.set('added', server('added'));
    expect(refresh()).toBe(true);
    expect(advertised.list).toContain('added');
  });

  it('are incomplete while a pinned tool may still come from a server on its way', () => {
    const [a, b] = [server('a', 'starting'), server('b', 'failed')];
    const { advertised, put } = open(['a/x'], a, b);
    expect(advertised.isIncomplete).toBe(true);
    a.status = { state: 'failed', since: 3 };
    expect(advertised.isIncomplete).toBe(false);
    a.status = { state: 'starting', since: 4 };
    put('a', ['other']);
    expect([advertised.isIncomplete, advertised.unmatchedPins]).toEqual([false, ['a/x']]);
  });

  it('wait for any server with a pin that names none', () => {
    const { advertised, put } = open(['x'], server('a', 'failed'), server('b', 'starting'));
    expect(advertised.isIncomplete).toBe(true);
    put('b', ['x']);
    expect(advertised.isIncomplete).toBe(false);
  });
});

describe('a direct call', () => {
  it('means the listed tool, or any known tool as server__name', () => {
    const { advertised, put } = open(['x'], server('a'), server('b'));
    put('a', ['x', 'y']);
    put('b', ['z.z']);
    const found = ['x', 'a__x', 'a__y', 'b__z.z', 'y', 'b__x', 'c__x', 'nope'].map((called) => {
      const tool = advertised.find(called);
      return tool === undefined ? undefined : `${tool.server}/${tool.name}`;
    });
    expect(found).toEqual(['a/x', 'a/x', 'a/y', 'b/z.z', undefined, undefined, undefined, undefined]);
  });
});

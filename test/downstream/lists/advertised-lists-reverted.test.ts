import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Catalog } from '../../../src/catalog/catalog.ts';
import { AdvertisedLists } from '../../../src/downstream/lists/advertised-lists.ts';
import { Owners } from '../../../src/downstream/lists/owners.ts';
import { snapshotOf } from '../../catalog/samples.ts';
import { FakeUpstream, viewsOf } from '../fake-upstream.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a change that is taken back before it was announced is not announced', async () => {
  const announced: string[] = [];
  const catalog: Catalog = new Catalog((change) => lists.catalogChanged(change));
  const lists = new AdvertisedLists({
    catalog,
    holders: new Map(),
    links: new Owners(10),
    upstreams: viewsOf(new FakeUpstream('a')),
    pinned: () => ['x'],
    listWaitMs: () => 0,
    announce: (method) => announced.push(method),
    onunmatched: () => {},
    onambiguous: () => {},
  });
  catalog.replaceUpstream('a', snapshotOf('a', ['x']));
  const before = await lists.listTools();
  catalog.replaceUpstream('a', snapshotOf('a', []));
  catalog.replaceUpstream('a', snapshotOf('a', ['x']));
  vi.advanceTimersByTime(1000);
  expect(await lists.listTools()).toBe(before);
  expect(announced).toEqual([]);
});

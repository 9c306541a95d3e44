import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Catalog, type UpstreamSnapshot } from '../../../src/catalog/catalog.ts';
import { AdvertisedLists } from '../../../src/downstream/lists/advertised-lists.ts';
import { Owners } from '../../../src/downstream/lists/owners.ts';
import { snapshotOf } from '../../catalog/samples.ts';
import { FakeUpstream, viewsOf } from '../fake-upstream.ts';

const TOOLS = 'notifications/tools/list_changed';
const RESOURCES = 'notifications/resources/list_changed';
const PROMPTS = 'notifications/prompts/list_changed';
const SOON_MS = 50;
const WAIT_MS = 3000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open(pinned: string[], state = 'ready') {
  const announced: string[] = [];
  const unmatched: (readonly string[])[] = [];
  const upstream = new FakeUpstream('a', { state });
  const catalog: Catalog = new Catalog((change) => lists.catalogChanged(change));
  const lists = new AdvertisedLists({
    catalog,
    holders: new Map(),
    links: new Owners(10),
    upstreams: viewsOf(upstream),
    pinned: () => pinned,
    listWaitMs: () => WAIT_MS,
    announce: (method) => announced.push(method),
    onunmatched: (pins) => unmatched.push(pins),
    onambiguous: () => {},
  });
  const put = (tools: string[], more: Partial<UpstreamSnapshot> = {}) =>
    catalog.replaceUpstream('a', snapshotOf('a', tools, more));
  const namesOf = (list: string) => (JSON.parse(list) as { name: string }[]).map(({ name }) => name).slice(3);
  return { lists, upstream, announced, unmatched, put, namesOf };
}

const extra = { resources: ['{"uri":"a:1"}'], prompts: ['{"name":"p"}'] };

describe('a change of a list', () => {
  it('is announced once for a burst, and only where the list that was read came out different', async () => {
    const { lists, announced, put } = open(['x']);
    put(['x']);
    await lists.listTools();
    vi.advanceTimersByTime(SOON_MS);
    expect(announced).toEqual([]);
    put(['x', 'unpinned']);
    vi.advanceTimersByTime(SOON_MS);
    expect(announced).toEqual([]);
    for (const title of ['a', 'b', 'c']) put([JSON.stringify({ name: 'x', title })]);
    vi.advanceTimersByTime(SOON_MS - 1);
    expect(announced).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(announced).toEqual([TOOLS]);
  });

  it('is not announced where it is as the client knew it, whatever it was in between', () => {
    const { announced, put } = open(['x']);
    put(['x'], extra);
    put(['y']);
    vi.advanceTimersByTime(SOON_MS);
    expect(announced).toEqual([]);
  });

  it('is announced for resources and prompts likewise, each for itself', () => {
    const { lists, announced, put } = open([]);
    put([], extra);
    expect([lists.resources.resources, lists.prompts.prompts]).toEqual([extra.resources, extra.prompts]);
    vi.advanceTimersByTime(SOON_MS);
    expect(announced.splice(0)).toEqual([RESOURCES, PROMPTS]);
    put([], { ...extra, prompts: [] });
    vi.advanceTimersByTime(SOON_MS);
    expect(announced).toEqual([PROMPTS]);
    put(['t'], { resourceTemplates: ['{"uriTemplate":"a:{x}"}'] });
    vi.advanceTimersByTime(SOON_MS);
    expect(announced).toEqual([PROMPTS, RESOURCES]);
  });
});

describe('reading tools', () => {
  it('waits for pinned tools on their way, and no longer than they take', async () => {
    const { lists, put, namesOf } = open(['x'], 'starting');
    const reading = lists.listTools();
    vi.advanceTimersByTime(WAIT_MS - 1);
    put(['x']);
    expect(namesOf(await reading)).toEqual(['x']);
    vi.advanceTimersByTime(SOON_MS);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits no longer than is configured, and announces what comes later', async () => {
    const { lists, put, announced, namesOf } = open(['x'], 'starting');
    const reading = lists.listTools();
    vi.advanceTimersByTime(WAIT_MS);
    expect(namesOf(await reading)).toEqual([]);
    put(['x']);
    vi.advanceTimersByTime(SOON_MS);
    expect(announced).toEqual([TOOLS]);
  });

  it('stops waiting when the server has failed', async () => {
    const { lists, upstream, namesOf } = open(['x'], 'starting');
    const reading = lists.listTools();
    upstream.status = { state: 'failed', since: 2 };
    lists.statusChanged();
    expect(namesOf(await reading)).toEqual([]);
  });

  it('waits for nothing while nothing is pinned', async () => {
    const { lists } = open([], 'starting');
    await lists.listTools();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('pins without a tool', () => {
  it('are reported once, when it is clear that nobody brings one', () => {
    const { lists, upstream, unmatched, put } = open(['x', 'nope'], 'starting');
    lists.statusChanged();
    expect(unmatched).toEqual([]);
    put(['x']);
    put(['x', 'y']);
    upstream.status = { state: 'ready', since: 2 };
    lists.statusChanged();
    expect(unmatched).toEqual([['nope']]);
  });
});

describe('other lists', () => {
  it('wait for servers nobody has seen yet', async () => {
    const { lists, put } = open([], 'starting');
    let isSettled = false;
    const settling = lists.untilListed().then(() => {
      isSettled = true;
    });
    await Promise.resolve();
    expect(isSettled).toBe(false);
    put([]);
    await settling;
    expect(isSettled).toBe(true);
  });
});

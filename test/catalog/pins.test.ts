import { describe, expect, it } from 'vitest';
import { Catalog } from '../../src/catalog/catalog.ts';
import { resolvePins, serversOfPin } from '../../src/catalog/pins.ts';
import { snapshotOf } from './samples.ts';

function catalogOf(servers: Record<string, string[]>): { catalog: Catalog; servers: string[] } {
  const catalog = new Catalog(() => {});
  for (const [server, tools] of Object.entries(servers))
    catalog.replaceUpstream(server, snapshotOf(server, tools));
  return { catalog, servers: Object.keys(servers) };
}

function resolved(pins: string[], of: Record<string, string[]>, order?: string[]) {
  const { catalog, servers } = catalogOf(of);
  const { tools, unmatched, ambiguous } = resolvePins(pins, catalog, order ?? servers);
  return { tools: tools.map(({ server, name }) => `${server} ${name}`), unmatched, ambiguous };
}

describe('resolvePins', () => {
  it('takes "server/name" for one tool and "name" for all of that name, in the order of the servers', () => {
    const of = { a: ['x', 'y'], b: ['x'], c: ['x'] };
    expect(resolved(['b/x'], of)).toEqual({ tools: ['b x'], unmatched: [], ambiguous: [] });
    expect(resolved(['x'], of, ['c', 'a'])).toEqual({
      tools: ['c x', 'a x'],
      unmatched: [],
      ambiguous: ['x'],
    });
  });

  it('keeps the order of the pins and lists no tool twice', () => {
    expect(resolved(['y', 'a/y', 'x', 'a/x'], { a: ['x', 'y'] })).toEqual({
      tools: ['a y', 'a x'],
      unmatched: [],
      ambiguous: [],
    });
  });

  it('names the pins that stand for nothing', () => {
    expect(resolved(['nope', 'a/nope', 'b/x', '/x', 'x/', ''], { a: ['x'] })).toEqual({
      tools: [],
      unmatched: ['nope', 'a/nope', 'b/x', '/x', 'x/', ''],
      ambiguous: [],
    });
  });

  it('finds tools whose own name has a slash', () => {
    const of = { a: ['repos/get', 'x/y/z'] };
    expect(resolved(['repos/get', 'a/x/y/z'], of).tools).toEqual(['a repos/get', 'a x/y/z']);
  });

  it('is about the server a pin names and no other, whatever that one calls its tools', () => {
    expect(resolved(['good/deploy'], { good: [], evil: ['good/deploy'] })).toEqual({
      tools: [],
      unmatched: ['good/deploy'],
      ambiguous: [],
    });
    expect(resolved(['own/er/x'], { own: ['er/x'], 'own/er': ['x'] }).tools).toEqual(['own/er x']);
    expect(resolved(['own/er/x'], { own: ['er/x'], 'own/er': [] }).tools).toEqual([]);
  });

  it('looks no further than the servers it is given', () => {
    expect(resolved(['x'], { a: ['x'], b: ['x'] }, ['b']).tools).toEqual(['b x']);
  });
});

describe('serversOfPin', () => {
  it.each([
    ['a/x', ['a']],
    ['x', ['a', 'b']],
    ['c/x', ['a', 'b']],
    ['/x', ['a', 'b']],
    ['a', ['a', 'b']],
  ])('waits for the right servers with %j', (pin, servers) => {
    expect(serversOfPin(pin, ['a', 'b'])).toEqual(servers);
  });
});

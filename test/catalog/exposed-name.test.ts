import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exposedNames,
  isLegalName,
  qualifiedName,
  toolByQualifiedName,
} from '../../src/catalog/exposed-name.ts';

const names = fc.oneof(
  fc.constantFrom('create_issue', 'a', 'get.file', 'a/b', 'Ünïcode', 'tool name', '💥', 'x'.repeat(70)),
  fc.string({ minLength: 1, maxLength: 80 }),
);
/** Names that hold no joiner, so that no two keys read the same when they are joined. */
const plain = names.filter((name) => !name.includes('_'));
const keyOf = ({ server, name }: { server: string; name: string }) => JSON.stringify([server, name]);
const keysOf = (part: fc.Arbitrary<string>) =>
  fc.uniqueArray(fc.record({ server: part, name: part }), { selector: keyOf, maxLength: 12 });

describe('qualifiedName', () => {
  it('is always legal and always the same', () => {
    fc.assert(
      fc.property(names, names, (server, name) => {
        const qualified = qualifiedName(server, name);
        expect(qualified).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(qualifiedName(server, name)).toBe(qualified);
      }),
      { numRuns: 500 },
    );
  });

  it('joins server and name as they are where that is legal', () => {
    expect(qualifiedName('github', 'create_issue')).toBe('github__create_issue');
    expect(qualifiedName('s'.repeat(30), 'n'.repeat(32))).toHaveLength(64);
  });

  it('ends in a hash where it is too long or has characters that hosts refuse', () => {
    expect(qualifiedName('files', 'read.file')).toMatch(/^files__read_file_[0-9a-f]{8}$/);
    expect(qualifiedName('s'.repeat(30), 'n'.repeat(33))).toMatch(/^s{30}__n{23}_[0-9a-f]{8}$/);
  });

  it('tells names apart that differ only in refused characters or past the cut', () => {
    const variants = ['a.b', 'a/b', 'a b', 'a:b', `a.${'n'.repeat(80)}`, `a.${'n'.repeat(81)}`];
    expect(new Set(variants.map((name) => qualifiedName('s', name))).size).toBe(variants.length);
  });
});

describe('exposedNames', () => {
  it('gives every item a legal name of its own, and none that is reserved', () => {
    const reserved = new Set(['search_tools', 'a', 'create-issue']);
    fc.assert(
      fc.property(keysOf(plain), (items) => {
        const named = exposedNames(items, { reserved });
        expect(new Set([...named.values()].map(keyOf))).toEqual(new Set(items.map(keyOf)));
        expect(named.size).toBe(items.length);
        for (const name of named.keys()) expect(isLegalName(name) && !reserved.has(name)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('does not depend on who came first', () => {
    const shuffles = keysOf(plain).chain((items) =>
      fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length })),
    );
    fc.assert(
      fc.property(shuffles, ([items, shuffled]) => {
        const namesOf = (list: typeof items) =>
          new Map([...exposedNames(list)].map(([name, item]) => [keyOf(item), name]));
        expect(namesOf(shuffled)).toEqual(namesOf(items));
      }),
    );
  });

  it('keeps a name that is legal, unique and free, and qualifies all that share one', () => {
    const items = [
      { server: 'a', name: 'search' },
      { server: 'b', name: 'search' },
      { server: 'a', name: 'read' },
      { server: 'a', name: 'list.all' },
      { server: 'a', name: 'taken' },
    ];
    expect([...exposedNames(items, { reserved: new Set(['taken']) }).keys()]).toEqual([
      'a__search',
      'b__search',
      'read',
      expect.stringMatching(/^a__list_all_[0-9a-f]{8}$/),
      'a__taken',
    ]);
  });
});

describe('toolByQualifiedName', () => {
  it('finds the way back from every qualified name', () => {
    fc.assert(
      fc.property(keysOf(plain), (items) => {
        const tools = items.map((item) => ({ ...item, definition: '{}' }));
        for (const tool of tools) {
          expect(toolByQualifiedName(qualifiedName(tool.server, tool.name), tools)).toBe(tool);
        }
      }),
    );
  });

  it('finds a tool under the plain join as well, however long that is', () => {
    const tool = { server: 'files', name: 'read.file', definition: '{}' };
    expect(toolByQualifiedName('files__read.file', [tool])).toBe(tool);
  });

  it.each(['read', 'files_read', 'other__read', 'files__read_', 'files__', ''])(
    'finds nothing for %j',
    (called) => {
      expect(
        toolByQualifiedName(called, [{ server: 'files', name: 'read', definition: '{}' }]),
      ).toBeUndefined();
    },
  );
});

describe('a name that belongs to another server', () => {
  const victim = { server: 'a__b', name: 'deploy', definition: '{"of":"a__b"}' };
  const qualified = qualifiedName(victim.server, victim.name);
  const forger = { server: 'a', name: qualified.slice('a__'.length), definition: '{"of":"a"}' };

  it('is not taken by a tool that is named like its qualified form', () => {
    expect(qualifiedName(forger.server, forger.name)).not.toBe(qualified);
    expect(toolByQualifiedName(qualified, [forger, victim])).toBe(victim);
    expect(toolByQualifiedName(qualifiedName(forger.server, forger.name), [forger, victim])).toBe(forger);
  });

  it('leads nowhere while its owner is not known, rather than to the forger', () => {
    expect(toolByQualifiedName(qualified, [forger], ['a__b'])).toBeUndefined();
    // Joined plainly it reads as a tool of "a", which may turn out to have one of that name.
    expect(toolByQualifiedName('a__b__deploy', [victim], ['a'])).toBeUndefined();
    expect(toolByQualifiedName('a__b__deploy', [victim])).toBe(victim);
  });

  it('is shown for no pinned tool of a server that calls its tool so', () => {
    const named = exposedNames([{ server: 'evil', name: 'good__deploy' }], { servers: ['good', 'evil'] });
    expect([...named.keys()]).toEqual([qualifiedName('evil', 'good__deploy')]);
  });

  it('stays with whom the client has seen it for', () => {
    const items = [
      { server: 'evil', name: 'deploy' },
      { server: 'good', name: 'deploy' },
    ];
    const holders = new Map([['deploy', 'good']]);
    expect([...exposedNames(items, { holders })].map(([name, { server }]) => `${name} ${server}`)).toEqual([
      'evil__deploy evil',
      'deploy good',
    ]);
    expect([...exposedNames(items.slice(0, 1), { holders }).keys()]).toEqual(['evil__deploy']);
  });
});

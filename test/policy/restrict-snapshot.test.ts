import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UpstreamSnapshot } from '../../src/catalog/catalog.ts';
import { accessOf, FULL_ACCESS } from '../../src/policy/access.ts';
import { restrictSnapshot } from '../../src/policy/restrict-snapshot.ts';

const names = fc.uniqueArray(fc.constantFrom('read', 'write', 'list_all', 'delete_all', 'x'), {
  maxLength: 5,
});
const patterns = fc.array(fc.constantFrom('docs', 'docs/re*', 'docs/*_all', 'docs/test://*', 'mail', '*'), {
  maxLength: 3,
});

function snapshotOf(items: readonly string[]): UpstreamSnapshot {
  return {
    initializeResult: '{"capabilities":{}}',
    tools: items.map((name) => ({ server: 'docs', name, definition: `{ "name":"${name}","x":1.0}` })),
    resources: items.map((name) => `{ "uri":"test://${name}","size":1.0}`),
    resourceTemplates: items.map((name) => `{ "uriTemplate":"test://${name}/{id}"}`),
    prompts: items.map((name) => `{ "name":"${name}","x":1.0}`),
    index: new Uint8Array([1]),
  };
}

describe('restrictSnapshot', () => {
  it('leaves what is allowed as it was written, in its order, and nothing else', () => {
    fc.assert(
      fc.property(names, patterns, patterns, (items, allow, deny) => {
        const access = accessOf({ subject: 'a', claims: {} }, [{ allow, deny }]);
        const whole = snapshotOf(items);
        const seen = restrictSnapshot('docs', whole, access);
        const allowed = (name: string) => access.allows('docs', name);
        if (!access.seesServer('docs')) {
          expect(seen).toBeUndefined();
          return;
        }
        expect(seen?.tools).toEqual(whole.tools.filter(({ name }) => allowed(name)));
        expect(seen?.prompts).toEqual(whole.prompts.filter((text) => allowed(JSON.parse(text).name)));
        expect(seen?.resources).toEqual(whole.resources.filter((text) => allowed(JSON.parse(text).uri)));
        expect(seen?.resourceTemplates).toEqual(
          whole.resourceTemplates.filter((text) => allowed(JSON.parse(text).uriTemplate)),
        );
      }),
    );
  });

  it('keeps the searchable form only where no tool is left out', () => {
    expect(restrictSnapshot('docs', snapshotOf(['read', 'write']), FULL_ACCESS)?.index).toBeDefined();
    const access = accessOf({ subject: 'a', claims: {} }, [{ allow: ['docs/read'], deny: [] }]);
    expect(restrictSnapshot('docs', snapshotOf(['read', 'write']), access)).not.toHaveProperty('index');
  });

  it('leaves out what has no name to be allowed by', () => {
    const odd = { ...snapshotOf([]), prompts: ['{}', '7', '{"name":7}'], resources: ['{"uri":null}'] };
    expect(restrictSnapshot('docs', odd, FULL_ACCESS)).toMatchObject({ prompts: [], resources: [] });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CachedUpstream, decodeCacheFile, encodeCacheFile } from '../../src/catalog/cache-file.ts';
import { readTools } from '../../src/catalog/catalog-tool.ts';
import { snapshotOf, toolText } from './samples.ts';

/** Texts that change when they are parsed and written again, or when bytes and characters are mixed up. */
const ODD_TOOLS = [
  '{"name":"numbers","default":12345678901234567890,"min":1.0,"max":1e400,"zero":-0,"tiny":1E-7}',
  '{"name":"twice","a":1,"a":2,"10":"b","2":"a"}',
  '{"name":"esc\\u0061pes \\ud83d\\ude00 \\ud800 \\/ \\u0000","x":"\u2028\u2029 é 漢 😀"}',
  '{\n  "name": "pretty",\r\n\t"inputSchema": {\n    "type": "object"\n  }\n}',
  `{"name":"long","description":"${'ü'.repeat(70_000)}"}`,
];

function cached(more: Partial<CachedUpstream> = {}): CachedUpstream {
  return {
    snapshot: snapshotOf('s', ODD_TOOLS, {
      initializeResult: '{ "capabilities" : { } , "x":1.0,\n"instructions":"ü" }',
      resources: ['{"uri":"a://1","size":1.50}', '{"uri":"\\u0061://2"}'],
      resourceTemplates: ['{"uriTemplate":"a://{x}"}'],
      prompts: ['{\n"name":"p"\n}'],
      index: Uint8Array.from([0, 10, 255, 10, 13, 0]),
    }),
    readAt: 1_796_000_000_123,
    initializeParams: '{"capabilities":{"x":1.0},"clientInfo":{"name":"ä"}}',
    ...more,
  };
}

/** What is in a file as plain values; tools are read from its bytes as they are looked at. */
function plain(upstream: CachedUpstream | undefined) {
  if (upstream === undefined) return undefined;
  const { snapshot, ...rest } = upstream;
  const tools = snapshot.tools.map(({ server, name, definition }) => ({ server, name, definition }));
  return { ...rest, snapshot: { ...snapshot, tools, index: [...(snapshot.index ?? [])] } };
}

const small = (): Buffer => encodeCacheFile(cached({ snapshot: snapshotOf('s', ['one', 'two']) }));

describe('a file of the catalog', () => {
  it('gives back what was written, character by character', () => {
    expect(plain(decodeCacheFile('s', encodeCacheFile(cached())))).toEqual(plain(cached()));
  });

  it('gives back whatever texts a server writes', () => {
    const texts = fc.array(fc.string({ unit: 'binary' }));
    const names = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1 }));
    fc.assert(
      fc.property(texts, texts, names, fc.uint8Array(), (resources, prompts, tools, index) => {
        const definitions = tools.map((name) => toolText(wellFormed(name)));
        const more = { index, resources: resources.map(wellFormed), prompts: prompts.map(wellFormed) };
        const upstream = cached({
          snapshot: { ...snapshotOf('s', [], more), tools: readTools('s', definitions) },
        });
        expect(plain(decodeCacheFile('s', encodeCacheFile(upstream)))).toEqual(plain(upstream));
      }),
      { numRuns: 200 },
    );
  });

  it('holds nothing of a server that offers nothing', () => {
    const upstream = cached({ snapshot: snapshotOf('s', []) });
    expect(plain(decodeCacheFile('s', encodeCacheFile(upstream)))).toEqual(plain(upstream));
  });

  it('is refused wherever it is cut short', () => {
    const bytes = small();
    for (let length = 0; length < bytes.length; length++) {
      expect(decodeCacheFile('s', bytes.subarray(0, length)), `${length} bytes`).toBeUndefined();
    }
  });

  it('is refused whichever of its bytes is another', () => {
    const bytes = small();
    for (let at = 0; at < bytes.length; at++) {
      for (const flip of [0x01, 0x20, 0x80, 0xff]) {
        const damaged = Buffer.from(bytes);
        damaged[at] = (damaged[at] ?? 0) ^ flip;
        expect(decodeCacheFile('s', damaged), `byte ${at} ^ ${flip}`).toBeUndefined();
      }
    }
  });

  it.each([
    ['empty', Buffer.alloc(0)],
    ['a line feed', Buffer.from('\n')],
    ['JSON', Buffer.from('{"tools":[]}\n')],
    ['zeros', Buffer.alloc(4096)],
    ['followed by something', Buffer.concat([small(), Buffer.from('\n')])],
    ['twice itself', Buffer.concat([small(), small()])],
    ['without its first line', small().subarray(small().indexOf('\n') + 1)],
    [
      'one of a later format',
      Buffer.from(
        small()
          .toString('latin1')
          .replace(/^(\S+) \d+/, '$1 99'),
        'latin1',
      ),
    ],
  ])('is refused when it is %s', (_, bytes) => {
    expect(decodeCacheFile('s', bytes)).toBeUndefined();
  });

  it('is refused, or throws nothing, when it is random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => decodeCacheFile('s', Buffer.from(bytes)) === undefined),
    );
  });
});

/** The text as UTF-8 can hold it: halves of characters come from no server. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

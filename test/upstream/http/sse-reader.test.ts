import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SseEvent, SseReader } from '../../../src/upstream/http/sse-reader.ts';

interface Read {
  readonly events: { type: string; id: string | undefined; data: string }[];
  readonly retries: number[];
  readonly oversize: [number, string, string][];
}

function read(chunks: readonly Buffer[], limit = 1e6): Read {
  const result: Read = { events: [], retries: [], oversize: [] };
  const reader = new SseReader({
    limit,
    onevent: (event: SseEvent) => result.events.push({ ...event, data: event.data.toString('utf8') }),
    onretry: (ms) => result.retries.push(ms),
    onoversize: (length, head, tail) => result.oversize.push([length, head.toString(), tail.toString()]),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return result;
}

const message = (data: string, id?: string) => ({ type: 'message', id, data });
const dataOf = (text: string) => read([Buffer.from(text)]).events;

describe('SseReader', () => {
  it.each<[string, string, ReturnType<typeof message>[]]>([
    ['one event', 'data: a\n\n', [message('a')]],
    ['no space after the colon, or two', 'data:a\n\ndata:  b\n\n', [message('a'), message(' b')]],
    [
      'all kinds of line ends',
      'data: a\r\n\r\ndata: b\r\rdata: c\n\n',
      [message('a'), message('b'), message('c')],
    ],
    ['several lines of data', 'data: {\ndata:  "a": 1\ndata: }\n\n', [message('{\n "a": 1\n}')]],
    ['comments and unknown fields', ': hi\nfoo: bar\nbaz\ndata: a\n\n: bye\n\n', [message('a')]],
    ['a byte order mark', '\ufeffdata: a\n\n', [message('a')]],
    ['an id without data', 'id: 1\n\nid: 2\ndata: a\n\n', [message('', '1'), message('a', '2')]],
    ['an event without its blank line at the end', 'data: a', [message('a')]],
    ['empty events', '\n\n\n', []],
  ])('reads %s', (_what, text, events) => {
    expect(dataOf(text)).toEqual(events);
  });

  it('reads types and pauses', () => {
    const { events, retries } = read([Buffer.from('event: endpoint\ndata: /x\nretry: 250\nretry: soon\n\n')]);
    expect(events).toEqual([{ type: 'endpoint', id: undefined, data: '/x' }]);
    expect(retries).toEqual([250]);
  });

  it('gives up a payload above the limit, with its ends, and reads on', () => {
    const big = `{"id":7,"x":"${'é'.repeat(5000)}","z":1}`;
    const { events, oversize } = read([Buffer.from(`data: ${big}\n\ndata: {"id":8}\n\n`)], 1000);
    expect(events).toEqual([message('{"id":8}')]);
    expect(oversize).toHaveLength(1);
    expect(oversize[0]?.[0]).toBe(Buffer.byteLength(`data: ${big}`));
    expect(oversize[0]?.[1]).toMatch(/^\{"id":7,/);
    expect(oversize[0]?.[2]).toMatch(/"z":1\}$/);
  });

  it('reads the same wherever the bytes are cut', () => {
    const line = fc.constantFrom(
      'data: añ😀',
      'data:',
      'id: 7',
      'event: x',
      ': c',
      'retry: 5',
      '',
      'data: {"a":1}',
    );
    const end = fc.constantFrom('\n', '\r\n', '\r');
    const text = fc.array(fc.tuple(line, end), { maxLength: 20 }).map((lines) => lines.flat().join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(200), { maxLength: 10 }), (sent, cuts) => {
        const bytes = Buffer.from(sent);
        const places = [
          0,
          ...cuts.toSorted((a, b) => a - b).map((cut) => Math.min(cut, bytes.length)),
          bytes.length,
        ];
        const chunks = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
        expect(read(chunks)).toEqual(read([bytes]));
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SseEvent, SseReader } from '../../../src/upstream/http/sse-reader.ts';
import { MAX_MESSAGE_BYTES, MAX_PROCESSOR_MS, processorMs } from '../../fuzz/budget.ts';

interface Read {
  readonly events: { type: string; id: string | undefined; data: string }[];
  readonly retries: number[];
  readonly oversize: [number, string, string][];
}

function read(chunks: readonly Buffer[], limit = 1e6): Read {
  const result: Read = { events: [], retries: [], oversize: [] };
  const reader = new SseReader({
    limit,
    onevent: ({ data, ...event }: SseEvent) => {
      if (Buffer.isBuffer(data)) result.events.push({ ...event, data: data.toString('utf8') });
      else result.oversize.push([data.bytes, data.head.toString(), data.tail.toString()]);
    },
    onretry: (ms) => result.retries.push(ms),
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
    expect(oversize[0]?.[0]).toBe(Buffer.byteLength(big));
    expect(oversize[0]?.[1]).toMatch(/^\{"id":7,/);
    expect(oversize[0]?.[2]).toMatch(/"z":1\}$/);
  });

  it('gives up an event above the limit whole, also where it goes on line by line', () => {
    const lines = ['data: {"id":7,', `data: "x":"${'x'.repeat(1000)}"`, 'data: ,"a":{', 'data: }', 'data: }'];
    const { events, oversize } = read([Buffer.from(`${lines.join('\n')}\n\ndata: next\n\n`)], 1000);
    expect(events).toEqual([message('next')]);
    expect(oversize).toHaveLength(1);
    expect(oversize[0]?.[1]).toMatch(/^\{"id":7,\n"x"/);
  });

  it('counts empty lines of data', () => {
    const { events, oversize } = read([Buffer.from(`${'data:\n'.repeat(1002)}\ndata: next\n\n`)], 1000);
    expect(events).toEqual([message('next')]);
    expect(oversize.map(([bytes]) => bytes)).toEqual([1001]);
  });

  it('keeps no id that no header could hold, and of a type no more than its beginning', () => {
    const [long, { id, type }] = [
      'x'.repeat(5000),
      read([Buffer.from(`id: ${'x'.repeat(5000)}\nevent: ${'x'.repeat(5000)}\ndata: a\n\n`)]).events[0] ??
        message(''),
    ];
    expect(id).toBeUndefined();
    expect(long.startsWith(type)).toBe(true);
    expect(type).toHaveLength(1024);
  });

  it.each([
    ['line feeds', '\n'],
    ['carriage returns', '\r'],
    ['both', '\r\n'],
    ['empty lines of data', 'data:\n'],
    ['empty events', 'data:\n\n'],
    ['comments', ':\r'],
    ['ids', 'id:1\n'],
    ['fields without a name', 'x\n'],
    ['fields with a long name', `${'x'.repeat(300)}\r`],
    ['events that say nothing', 'data:x\n\n'],
  ])('reads 1 MB of %s within its budget', (_what, text) => {
    const bytes = Buffer.from(text.repeat(MAX_MESSAGE_BYTES / text.length));
    const chunks = Array.from({ length: 20 }, (_, n) => bytes.subarray(n * 50_000, (n + 1) * 50_000));
    for (const sent of [[bytes], chunks]) {
      const reader = new SseReader({ limit: 1e6, onevent: () => {}, onretry: () => {} });
      const step = () => {
        for (const chunk of sent) reader.push(chunk);
      };
      expect(processorMs(step)).toBeLessThan(MAX_PROCESSOR_MS);
    }
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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Span } from '../../src/json/scan.ts';
import { at, idOf, membersIn, parsePart, readFrames, textOf, valueAt } from '../../src/jsonrpc/frame.ts';
import { jsonTexts, objectTexts, spaces } from '../json/json-text.ts';
import { frameOf, requestFrame, responseFrame } from './messages.ts';

const framesOf = (text: string) => readFrames(Buffer.from(text));
const kindsOf = (text: string) => framesOf(text).map(({ kind }) => kind);

interface Parts {
  readonly [key: string]: string;
}

/** The members of an envelope in any order, with any white space, among others nobody knows. */
function envelopes(parts: fc.Arbitrary<Parts>): fc.Arbitrary<{ text: string; parts: Parts }> {
  return parts
    .chain((of) => {
      const members = Object.entries({ jsonrpc: '"2.0"', 'x-other': '{"id":7,"method":"no"}', ...of });
      const orders = fc.shuffledSubarray(members, { minLength: members.length });
      return fc.tuple(fc.constant(of), orders, fc.array(spaces, { minLength: 30, maxLength: 30 }));
    })
    .map(([of, members, gaps]) => {
      const gap = (at: number) => gaps[at % gaps.length] ?? '';
      const written = members.map(
        ([key, value], at) =>
          `${gap(at * 4)}"${key}"${gap(at * 4 + 1)}:${gap(at * 4 + 2)}${value}${gap(at * 4 + 3)}`,
      );
      return { text: `${gap(28)}{${written.join(',')}}${gap(29)}`, parts: of };
    });
}

const ids = fc.constantFrom('0', '1', '-1', '1.50', '9007199254740993', '""', '"a\\u0062"', '"1"');

function spanText(text: string, span: Span | undefined): string | undefined {
  return span === undefined ? undefined : Buffer.from(text).toString('utf8', span.start, span.end);
}

describe('readFrames', () => {
  it('finds the parts of a request, wherever they stand', () => {
    const requests = envelopes(
      fc.record({ id: ids, method: fc.constant('"tools\\/call"'), params: jsonTexts }),
    );
    fc.assert(
      fc.property(requests, ({ text, parts }) => {
        const frame = requestFrame(text);
        expect(frame).toMatchObject({ kind: 'request', method: 'tools/call' });
        expect(spanText(text, frame.id)).toBe(parts.id);
        expect(spanText(text, frame.params)).toBe(parts.params);
        expect(frame.bytes.toString()).toBe(text);
      }),
    );
  });

  it('finds the parts of an answer, wherever they stand', () => {
    const bodies = fc.oneof(
      fc.record({ id: ids, result: jsonTexts }),
      fc.record({ id: ids, error: objectTexts }),
      fc.record({ id: ids, result: jsonTexts, error: objectTexts }),
    ) as fc.Arbitrary<Parts>;
    fc.assert(
      fc.property(envelopes(bodies), ({ text, parts }) => {
        const frame = responseFrame(text);
        expect(spanText(text, frame.id)).toBe(parts.id);
        expect(spanText(text, frame.result)).toBe(parts.result);
        expect(spanText(text, frame.error)).toBe(parts.error);
      }),
    );
  });

  it('tells notifications from requests by the missing id', () => {
    expect(kindsOf('{"jsonrpc":"2.0","method":"a"}')).toEqual(['notification']);
    expect(kindsOf('{"jsonrpc":"2.0","method":"a","id":null}')).toEqual(['request']);
  });

  it('lets the last of several members of one name count, as JSON.parse does', () => {
    const frame = responseFrame('{"jsonrpc":"1.0","jsonrpc":"2.0","id":1,"id":2,"result":1,"result":2}');
    expect([idOf(frame), parsePart(frame, frame.result)]).toEqual(['2', 2]);
  });

  it('reads a batch as its messages and leaves out what is none', () => {
    const batch = '[{"jsonrpc":"2.0","id":1,"method":"a"}, 7, null, {}, {"jsonrpc":"2.0","method":"b"}]';
    expect(framesOf(batch).map(({ kind, bytes }) => [kind, bytes.toString()])).toEqual([
      ['request', '{"jsonrpc":"2.0","id":1,"method":"a"}'],
      ['notification', '{"jsonrpc":"2.0","method":"b"}'],
    ]);
  });

  it.each([
    ...['', 'Server running on stdio', 'null', '42', '"text"', '[]', '[1]', '{}', '{"jsonrpc":"2.0"}'],
    ...['{"jsonrpc":"1.0","id":1,"result":{}}', '{"id":1,"result":{}}', '{"jsonrpc":2.0,"id":1,"result":{}}'],
    ...['{"jsonrpc":"2.0","id":1,"method":5}', '{"jsonrpc":"2.0","id":1,"res'],
    ...['{"jsonrpc":"2.0","id":1,"result":{}} x', '[{"jsonrpc":"2.0","method":"a"}] x'],
  ])('finds no message in %j', (line) => {
    expect(framesOf(line)).toEqual([]);
  });

  it('never throws, whatever bytes come', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(readFrames(Buffer.from(bytes)).length).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps a result whose value nests 100,000 deep', () => {
    const result = '['.repeat(100_000) + ']'.repeat(100_000);
    const frame = responseFrame(`{"jsonrpc":"2.0","id":1,"result":${result}}`);
    expect(textOf(frame, frame.result as Span)).toBe(result);
  });
});

describe('parts of a frame', () => {
  it('are read as the value they spell', () => {
    const frame = frameOf('{"jsonrpc":"2.0","method":"a","params":{"b":{"c":"\\u0064"},"e":[1]}}');
    expect(membersIn(frame, 'params').map(({ key }) => key)).toEqual(['b', 'e']);
    expect(membersIn(frame, 'params', 'b').map(({ key }) => key)).toEqual(['c']);
    expect(valueAt(frame, 'params', 'b', 'c')).toBe('d');
    expect(valueAt(frame, 'params')).toEqual({ b: { c: 'd' }, e: [1] });
    expect(at(frame, 'params', 'missing')).toBeUndefined();
    expect(at(frame, 'params', 'e', 'c')).toBeUndefined();
  });

  it('have no members where no object stands', () => {
    const frame = frameOf('{"jsonrpc":"2.0","method":"a","params":[1,2]}');
    expect(membersIn(frame, 'params')).toEqual([]);
    expect(membersIn(frame, 'result')).toEqual([]);
  });

  it('have an id as it was spelled, null where there is none', () => {
    expect(idOf(responseFrame('{"jsonrpc":"2.0","id":1.0,"result":1}'))).toBe('1.0');
    expect(idOf(responseFrame('{"jsonrpc":"2.0","result":1}'))).toBe('null');
  });
});

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ToolsiftError } from '../../src/errors.ts';
import { type ForwardOptions, forwardRequest, progressTokenOf } from '../../src/jsonrpc/forward-request.ts';
import { textOf } from '../../src/jsonrpc/frame.ts';
import type { IncomingRequest } from '../../src/jsonrpc/incoming-request.ts';
import type { Peer } from '../../src/jsonrpc/peer.ts';
import { lineTexts, spaces } from '../json/json-text.ts';
import { frameOf, ignoring, peerOn, TestLink } from './messages.ts';

/** A client, and an upstream that everything it asks is forwarded to. */
function open(more: Partial<ForwardOptions> = {}) {
  const [client, upstream] = [new TestLink(), new TestLink()];
  const to = peerOn(upstream, ignoring);
  const onlost = vi.fn<(reason: ToolsiftError) => void>();
  const requests: IncomingRequest[] = [];
  const from: Peer = peerOn(client, {
    ...ignoring,
    onrequest: (request) => {
      requests.push(request);
      forwardRequest(request, { from, to, onlost, ...more });
    },
  });
  return { client, upstream, onlost, requests };
}

const numberIds = fc.constantFrom('0', '-1', '1.50', '9007199254740993', '17');
const stringIds = fc.constantFrom('""', '"a\\u0062"', '"1"', '"server-discover-probe-1"');
const CALL = '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"_meta":{"progressToken":"t\\u0031"}}}';

describe('the end of a forwarded request', () => {
  const opened = () => {
    const onover = vi.fn();
    return { ...open({ onover }), onover };
  };

  it.each([
    [
      'answered',
      ({ upstream }: ReturnType<typeof open>) => upstream.receive('{"jsonrpc":"2.0","id":1,"result":1}'),
    ],
    ['lost', ({ upstream }: ReturnType<typeof open>) => upstream.end(new Error('gone'))],
    [
      'withdrawn',
      ({ client }: ReturnType<typeof open>) =>
        client.receive('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}'),
    ],
  ])('is told once where it is %s', (_, end) => {
    const { onover, ...both } = opened();
    both.client.receive(CALL);
    expect(onover).not.toHaveBeenCalled();
    end(both);
    both.upstream.receive('{"jsonrpc":"2.0","id":1,"result":2}');
    both.upstream.end(new Error('gone'));
    expect(onover).toHaveBeenCalledOnce();
  });
});

describe('forwardRequest', () => {
  it('finds a progress token under a name spelled with escapes', () => {
    const { client, upstream } = open();
    client.receive('{"jsonrpc":"2.0","id":5,"method":"a","params":{"_meta":{"progress\\u0054oken":"t"}}}');
    expect(upstream.sent[0]).toContain('"progress\\u0054oken":"1"');
  });

  it('changes the id and nothing else, and keeps its type', () => {
    const ids = fc.oneof(numberIds, stringIds);
    fc.assert(
      fc.property(ids, lineTexts, lineTexts, spaces, (id, params, extra, gap) => {
        const space = gap.replace(/[\r\n]/g, ' ');
        const write = (as: string) =>
          `{${space}"params":${params},"id"${space}:${as},"x":${extra}${space},"method":"a","jsonrpc":"2.0"}`;
        const hasToken = progressTokenOf(frameOf(write(id))) !== undefined;
        fc.pre(!hasToken);
        const { client, upstream } = open();
        client.receive(write(id));
        expect(upstream.sent).toEqual([write(id.startsWith('"') ? '"1"' : '1')]);
      }),
      { numRuns: 300 },
    );
  });

  it('changes the progress token likewise, to the same as the id', () => {
    const both = fc.oneof(fc.tuple(numberIds, numberIds), fc.tuple(stringIds, stringIds));
    fc.assert(
      fc.property(both, lineTexts, ([id, token], args) => {
        const write = (as: string, tokenAs: string) =>
          `{"jsonrpc":"2.0","method":"a","params":{"arguments":${args}, "_meta" : {"k":1.0,"progressToken" : ${tokenAs}}},"id":${as}}`;
        const { client, upstream } = open();
        client.receive(write(id, token));
        const ours = token.startsWith('"') ? '"1"' : '1';
        expect(upstream.sent).toEqual([write(ours, ours)]);
      }),
    );
  });

  it('hands back the answer as it was written, under the id the request came with', () => {
    const ids = fc.oneof(numberIds, stringIds);
    const parts = fc.constantFrom('result', 'error');
    fc.assert(
      fc.property(ids, lineTexts, parts, (id, value, part) => {
        const { client, upstream } = open();
        client.receive(`{"jsonrpc":"2.0","id":${id},"method":"a"}`);
        const ours = id.startsWith('"') ? '"1"' : '1';
        const write = (as: string) => `{ "${part}":${value},"id" : ${as},"x":1e400,"jsonrpc":"2.0"}`;
        upstream.receive(write(ours));
        expect(client.sent).toEqual([write(id)]);
      }),
    );
  });

  it('makes the edits it is given as well', () => {
    const text = '{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"a__b","n":1.0}}';
    const start = text.indexOf('"a__b"');
    const { client, upstream } = open({ edits: [{ span: { start, end: start + 6 }, text: '"b"' }] });
    client.receive(text);
    expect(upstream.sent).toEqual([text.replace('"a__b"', '"b"').replace('"x"', '"1"')]);
  });

  it('puts the token of the client back into progress, and reports it until the answer', () => {
    const onprogress = vi.fn();
    const { client, upstream } = open({ onprogress });
    client.receive(CALL);
    const write = (token: string) =>
      `{"method":"notifications/progress","params":{"progress":0.50,"progressToken":${token}},"jsonrpc":"2.0"}`;
    upstream.receive(write('"1"'));
    upstream.receive(write('"2"'));
    upstream.receive('{"jsonrpc":"2.0","id":1,"result":{}}');
    upstream.receive(write('"1"'));
    expect(client.sent).toEqual([write('"t\\u0031"'), '{"jsonrpc":"2.0","id":5,"result":{}}']);
    expect(onprogress).toHaveBeenCalledOnce();
  });

  it('sends no progress to a client that asked for none', () => {
    const onprogress = vi.fn();
    const { client, upstream } = open({ onprogress });
    client.receive('{"jsonrpc":"2.0","id":5,"method":"a"}');
    upstream.receive('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}}');
    expect(onprogress).toHaveBeenCalledOnce();
    expect(client.sent).toEqual([]);
  });

  it('takes 0 and the empty string for progress tokens like any other', () => {
    for (const token of ['0', '""']) {
      const { client, upstream } = open();
      const id = token === '0' ? '7' : '"i"';
      client.receive(
        `{"jsonrpc":"2.0","id":${id},"method":"a","params":{"_meta":{"progressToken":${token}}}}`,
      );
      const ours = token === '0' ? '1' : '"1"';
      upstream.receive(
        `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${ours}}}`,
      );
      expect(client.sent[0]).toContain(`"progressToken":${token}`);
    }
  });

  it('passes a cancellation on with the id the upstream knows and the reason, and drops the late answer', () => {
    const { client, upstream } = open();
    client.receive(CALL);
    client.receive(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"reason":"enough"}}',
    );
    expect(upstream.sent[1]).toBe(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}',
    );
    upstream.receive('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(client.sent).toEqual([]);
  });

  it('cancels at the upstream what a client leaves behind', () => {
    const { client, upstream } = open();
    client.receive(CALL);
    client.end(new Error('gone'));
    expect(JSON.parse(upstream.sent[1] ?? '')).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: 1, reason: 'the client closed the connection' },
    });
  });

  it('says that no answer can come when the upstream ends, or has ended before', () => {
    const { client, upstream, onlost, requests } = open();
    client.receive(CALL);
    upstream.end(new ToolsiftError('upstream_exited', 'exited with code 1'));
    client.receive(CALL.replace('5', '6'));
    expect(onlost.mock.calls.map(([reason]) => reason.message)).toEqual([
      'exited with code 1',
      'exited with code 1',
    ]);
    expect(requests.map(({ isOpen }) => isOpen)).toEqual([true, true]);
  });

  it('hands the answer on before it shows it: the client waits for nothing else', () => {
    const order: string[] = [];
    const { client, upstream } = open({
      onanswer: (answer) => order.push(textOf(answer, answer.result ?? { start: 0, end: 0 })),
    });
    const send = client.send.bind(client);
    client.send = (message, about) => {
      order.push('sent');
      send(message, about);
    };
    client.receive(CALL);
    upstream.receive('{"jsonrpc":"2.0","id":1,"result":[1]}');
    expect(order).toEqual(['sent', '[1]']);
  });

  it('leaves members alone that only look like a progress token', () => {
    const other =
      '{"jsonrpc":"2.0","id":1,"method":"a","params":{"progressToken":"a","x":{"_meta":{"progressToken":"b"}}}}';
    expect(progressTokenOf(frameOf(other))).toBeUndefined();
    expect(
      progressTokenOf(frameOf('{"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":[1]}}')),
    ).toBeUndefined();
    const { client, upstream } = open();
    client.receive(other);
    expect(upstream.sent).toEqual([other]);
  });
});

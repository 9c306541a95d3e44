import { describe, expect, it, vi } from 'vitest';
import { idOf } from '../../src/jsonrpc/frame.ts';
import { openPeer, requestOf, resultOf } from './open-peer.ts';

describe('requests of the other side', () => {
  it.each(['0', '""', '9007199254740993', '1.50', '-1', '"a\\u0062"', 'null'])(
    'are answered under id %s',
    (id) => {
      const { link, requests } = openPeer();
      link.receive(requestOf(id));
      requests[0]?.result('{"a":', '1}');
      expect(link.sent).toEqual([`{"jsonrpc":"2.0","id":${id},"result":{"a":1}}`]);
    },
  );

  it('are answered once, whatever is tried after that', () => {
    const { link, requests } = openPeer();
    link.receive(requestOf('1'));
    const [request] = requests;
    request?.error(-32602, 'no', { why: 1 });
    request?.result('{}');
    request?.error(-1, 'again');
    expect(link.sent).toEqual([
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":{"why":1}}}',
    ]);
    expect(request?.isOpen).toBe(false);
  });

  it('are not answered any more once they are withdrawn, and the handler hears why', () => {
    const { link, requests } = openPeer();
    link.receive(requestOf('"a"'));
    const oncancel = vi.fn();
    const [request] = requests;
    if (request !== undefined) request.oncancel = oncancel;
    const withdraw = (id: string) =>
      link.receive(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
    for (const id of ['"b"', 'a1', '0', '"a"', '"a"']) withdraw(id);
    expect(oncancel).toHaveBeenCalledOnce();
    expect(oncancel.mock.calls[0]?.[0]).toMatchObject({ method: 'notifications/cancelled' });
    request?.result('{}');
    expect([link.sent, request?.isOpen]).toEqual([[], false]);
  });

  it('are withdrawn when the other side leaves', () => {
    const { link, requests } = openPeer();
    link.receive(requestOf('1'));
    link.receive(requestOf('2'));
    const oncancel = vi.fn();
    for (const request of requests) request.oncancel = oncancel;
    requests[0]?.result('{}');
    link.end(new Error('gone'));
    expect(oncancel.mock.calls).toEqual([[undefined]]);
    expect(requests[1]?.isOpen).toBe(false);
  });

  it('under one id are each answered, and the later one is the one that can be withdrawn', () => {
    const { link, requests } = openPeer();
    link.receive(requestOf('1'));
    link.receive(requestOf('1'));
    requests[0]?.result('"first"');
    link.receive('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    expect(requests.map(({ isOpen, frame }) => [isOpen, idOf(frame)])).toEqual([
      [false, '1'],
      [false, '1'],
    ]);
    expect(link.sent).toEqual([resultOf('1', '"first"')]);
  });
});

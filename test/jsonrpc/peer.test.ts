import { describe, expect, it } from 'vitest';
import { ToolsiftError } from '../../src/errors.ts';
import type { Span } from '../../src/json/scan.ts';
import { textOf } from '../../src/jsonrpc/frame.ts';
import type { IncomingRequest } from '../../src/jsonrpc/incoming-request.ts';
import { Peer } from '../../src/jsonrpc/peer.ts';
import { ignoring, messageOf } from './messages.ts';
import { openPeer, requestOf, resultOf, send } from './open-peer.ts';

describe('requests of ours', () => {
  it('never reuse an id, be it a number or a string', () => {
    const { link, peer } = openPeer();
    for (let count = 0; count < 50; count++) send(peer, count % 3 === 0);
    const ids = link.sent.map((text) => String((JSON.parse(text) as { id: unknown }).id));
    expect(new Set(ids).size).toBe(50);
    expect(link.sent[0]).toContain('"id":"1"');
    expect(link.sent[1]).toContain('"id":2');
  });

  it('get the answers that bear their ids, in whatever order those come', () => {
    const { link, peer } = openPeer();
    const [one, two, three] = [send(peer), send(peer), send(peer)];
    link.receive(resultOf('3', '"c"'));
    link.receive(`[${resultOf('1', '"a"')},${resultOf('2', '"b"')}]`);
    expect([one, two, three].map(({ fate }) => fate.answers)).toEqual([['"a"'], ['"b"'], ['"c"']]);
    expect(peer.openRequests).toBe(0);
  });

  it('are lost when the answer has neither a result nor an error', () => {
    const { link, peer } = openPeer();
    const [empty, full] = [send(peer), send(peer)];
    link.receive('{"jsonrpc":"2.0","id":1}');
    link.receive('{"jsonrpc":"2.0","id":7}');
    link.receive(resultOf('2', '"b"'));
    expect(empty.fate.lost).toMatchObject([{ code: 'upstream_invalid_message' }]);
    expect(empty.fate.answers).toEqual([]);
    expect(full.fate.answers).toEqual(['"b"']);
    expect(peer.openRequests).toBe(0);
  });

  it('take one answer each, and none meant for somebody else', () => {
    const { link, peer } = openPeer();
    const { fate } = send(peer);
    for (const id of ['2', '"1"', '1.0', 'null', '-1', '""', '0']) link.receive(resultOf(id, '"stray"'));
    link.receive('{"jsonrpc":"2.0","result":"no id"}');
    link.receive('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}');
    expect(fate.answers).toEqual([]);
    link.receive(resultOf('1', '"first"'));
    link.receive(resultOf('1', '"second"'));
    expect(fate.answers).toEqual(['"first"']);
  });

  it('are cancelled at the other side with their id and the reason, once, and forgotten', () => {
    const { link, peer } = openPeer();
    const { fate, outgoing } = send(peer, true);
    outgoing.cancel('the user said "stop"');
    outgoing.cancel();
    expect(link.sent.slice(1)).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1","reason":"the user said \\"stop\\""}}',
    ]);
    link.receive(resultOf('"1"', '"late"'));
    expect(fate.answers).toEqual([]);
  });

  it('are not cancelled any more once they are answered', () => {
    const { link, peer } = openPeer();
    const { outgoing } = send(peer);
    link.receive(resultOf('1'));
    outgoing.cancel();
    expect(link.sent).toHaveLength(1);
  });

  it('hear of progress under their own token alone, until they are answered', () => {
    const { link, peer, notifications } = openPeer();
    const { fate } = send(peer);
    const progress = (token: string) =>
      link.receive(
        `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":${token}}}`,
      );
    for (const token of ['1', '"1"', '2', 'null']) progress(token);
    link.receive('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}');
    link.receive(resultOf('1'));
    progress('1');
    expect(fate.progress).toEqual(['1']);
    expect(notifications).toEqual([]);
  });

  it('resolve with results and errors alike when they are promises', async () => {
    const { link, peer } = openPeer();
    const [good, bad] = [peer.request('a', '{"x":1.0}'), peer.request('b')];
    expect(link.sent).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":1.0}}',
      '{"jsonrpc":"2.0","id":2,"method":"b"}',
    ]);
    link.receive(resultOf('1', '1e400'));
    link.receive('{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"no"}}');
    const [answer, refusal] = [await good, await bad];
    expect(textOf(answer, answer.result as Span)).toBe('1e400');
    expect(textOf(refusal, refusal.error as Span)).toBe('{"code":-1,"message":"no"}');
  });

  it('end with the reason of their signal, and are cancelled at the other side', async () => {
    const { link, peer } = openPeer();
    const abort = new AbortController();
    const pending = peer.request('a', undefined, abort.signal);
    abort.abort(new Error('changed my mind'));
    await expect(pending).rejects.toThrow('changed my mind');
    expect(link.sent[1]).toContain('"requestId":1');
    await expect(peer.request('a', undefined, abort.signal)).rejects.toThrow('changed my mind');
    expect(link.sent).toHaveLength(2);
  });

  it('are all lost when the link closes, with what is known of the reason', async () => {
    const { link, peer, onclose } = openPeer();
    const { fate } = send(peer);
    const pending = peer.request('a');
    link.end(new ToolsiftError('upstream_exited', 'exited with code 3'));
    await expect(pending).rejects.toMatchObject({ code: 'upstream_exited', message: 'exited with code 3' });
    expect(fate.lost.map(({ message }) => message)).toEqual(['exited with code 3']);
    expect([peer.isClosed, peer.openRequests, onclose.mock.calls.length]).toEqual([true, 0, 1]);
  });

  it('are lost at once after that', async () => {
    const { link, peer } = openPeer();
    link.end(new Error('the stream ended'));
    await expect(peer.request('a')).rejects.toMatchObject({
      code: 'upstream_exited',
      message: 'the connection ended: the stream ended',
    });
    const { fate, outgoing } = send(peer);
    outgoing.cancel();
    expect(fate.lost).toHaveLength(1);
    expect(link.sent).toEqual([]);
  });

  it('fail alone when their answer is too large, or lost for a reason of its own', () => {
    const { link, peer, onfault } = openPeer();
    const [large, broken, fine] = [send(peer), send(peer), send(peer)];
    link.fail({ kind: 'oversize', bytes: 500, limit: 100, id: '1', of: 'response' });
    link.fail({ kind: 'oversize', bytes: 500, limit: 100, id: undefined, of: 'response' });
    link.fail({ kind: 'lost', id: '2', error: new ToolsiftError('upstream_invalid_message', 'was HTML') });
    link.receive(resultOf('3', '"ok"'));
    expect(large.fate.lost[0]).toMatchObject({ code: 'message_too_large' });
    expect(large.fate.lost[0]?.message).toMatch(/500 bytes.*limit of 100.*maxMessageBytes/);
    expect(broken.fate.lost[0]?.message).toBe('was HTML');
    expect(fine.fate).toMatchObject({ answers: ['"ok"'], lost: [] });
    expect(onfault).toHaveBeenCalledTimes(3);
  });
});

describe('notifications', () => {
  it('reach the handler, and go out with their parameters as they are', () => {
    const { link, peer, notifications } = openPeer();
    link.receive('{"jsonrpc":"2.0","method":"hello"}');
    peer.notify('a"b', '{"n":1.0}');
    peer.notify('c');
    expect(notifications).toEqual(['hello']);
    expect(link.sent).toEqual([
      '{"jsonrpc":"2.0","method":"a\\"b","params":{"n":1.0}}',
      '{"jsonrpc":"2.0","method":"c"}',
    ]);
  });
});

describe('two peers', () => {
  it('talk in both directions at once over linked links', async () => {
    const { createLinkedLinks } = await import('../../src/jsonrpc/linked-links.ts');
    const [left, right] = createLinkedLinks();
    const echo = (name: string) => ({
      ...ignoring,
      onrequest: (request: IncomingRequest) => request.result(`"${name} ${request.frame.method}"`),
    });
    const [one, two] = [new Peer(left, echo('one')), new Peer(right, echo('two'))];
    await Promise.all([one.start(), two.start()]);
    const asked = [one.request('a'), two.request('b'), one.request('c'), two.request('d')];
    const answers = (await Promise.all(asked)).map((frame) => textOf(frame, frame.result as Span));
    expect(answers).toEqual(['"two a"', '"one b"', '"two c"', '"one d"']);
    const pending = one.request('e').catch((error: unknown) => error);
    const lost = new Promise<ToolsiftError>((resolve) => {
      one.send(() => messageOf(requestOf('99')), { onanswer: () => {}, onlost: resolve });
    });
    await two.close();
    expect(await lost).toMatchObject({ code: 'upstream_exited' });
    expect(await pending).toBeDefined();
  });
});

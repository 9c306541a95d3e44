import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Span } from '../../src/json/scan.ts';
import { type Edit, joinChunks, splice } from '../../src/json/splice.ts';
import { at, type Frame, readFrames } from '../../src/jsonrpc/frame.ts';
import { rewritten } from '../../src/jsonrpc/message.ts';
import { rewrittenFrame } from '../../src/jsonrpc/rewritten-frame.ts';
import { lineTexts } from '../json/json-text.ts';
import { aboutOf, frameOf } from './messages.ts';
import { openPeer, requestOf, send } from './open-peer.ts';

describe('a frame that was rewritten', () => {
  /** The frame, found by moving what was known, after a check that reading the text anew finds the same. */
  function afterEdits(frame: Frame, edits: readonly Edit[]): void {
    const { chunks, about } = rewritten({ ...aboutOf(frame.bytes.toString()), source: { frame, edits } });
    const bytes = joinChunks(chunks);
    expect(bytes).toEqual(joinChunks(splice(frame.bytes, edits)));
    if (about.source === undefined) throw new Error('its source is not known');
    expect(rewrittenFrame(about.source, bytes)).toEqual(readFrames(bytes)[0]);
  }
  const span = (found: Span | undefined): Span => found ?? { start: 0, end: 0 };

  it('has its parts where reading it again would find them', () => {
    const texts = fc.constantFrom('1', '"é"', '"12345678901234567890"');
    fc.assert(
      fc.property(lineTexts, texts, texts, (value, one, other) => {
        const request = frameOf(
          `{"params" : {"name":"x","arguments":${value},"_meta":{"progressToken":7}},"jsonrpc":"2.0", "id": 5,"method":"tools/call"}`,
        );
        afterEdits(request, [
          { span: span(request.kind === 'request' ? request.id : undefined), text: one },
          { span: span(at(request, 'params', '_meta', 'progressToken')), text: other },
          { span: span(at(request, 'params', 'name')), text: Buffer.from('"longer than before"') },
        ]);
        const answer = frameOf(`{"jsonrpc":"2.0","result":${value},"id":5 ,"error":${one}}`);
        afterEdits(answer, [{ span: span(answer.kind === 'response' ? answer.id : undefined), text: other }]);
        const notice = frameOf(`{"jsonrpc":"2.0","method":"a","params":{"logger":${value}}}`);
        const inside = span(at(notice, 'params')).start + 1;
        afterEdits(notice, [{ span: { start: inside, end: inside }, text: `"more":${one},` }]);
      }),
    );
  });
});

describe('what a peer says of its messages', () => {
  it('is the kind, the id, the method and the request they belong to', () => {
    const { link, peer, requests } = openPeer();
    const { outgoing } = send(peer, true);
    outgoing.cancel('why');
    peer.notify('notifications/progress', '{}', '7');
    link.receive(requestOf('"x"'));
    requests[0]?.result('{}');
    link.receive(requestOf('8'));
    requests[1]?.error(-1, 'no');
    expect(link.abouts.map(({ source: _, ...about }) => about)).toEqual([
      { kind: 'request', id: '"1"', method: 'ask' },
      { kind: 'notification', method: 'notifications/cancelled', relatedRequest: '"1"' },
      { kind: 'notification', method: 'notifications/progress', relatedRequest: '7' },
      { kind: 'response', id: '"x"' },
      { kind: 'response', id: '8' },
    ]);
  });

  it('is what reading the text would tell', () => {
    const { link, peer, requests } = openPeer();
    void peer.request('tools/list', '{}').catch(() => {});
    peer.notify('a"b');
    link.receive(requestOf('"x"'));
    requests[0]?.result('{}');
    expect(link.abouts.map(({ source: _, ...about }) => about)).toEqual(
      link.sent
        .map(aboutOf)
        .map((about) => (about.kind === 'notification' ? { ...about, relatedRequest: undefined } : about)),
    );
  });
});

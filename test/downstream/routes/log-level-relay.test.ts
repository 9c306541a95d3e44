import { describe, expect, it } from 'vitest';
import { LogLevelRelay, withServerName } from '../../../src/downstream/routes/log-level-relay.ts';
import { splice } from '../../../src/json/splice.ts';
import type { IncomingRequest } from '../../../src/jsonrpc/incoming-request.ts';
import { ignoring, notificationFrame, peerOn, TestLink, textOfChunks } from '../../jsonrpc/messages.ts';
import { settled } from '../../upstream/fake-clock.ts';
import { FakeUpstream, viewsOf } from '../fake-upstream.ts';

/** What a client gets of a log message of this server. */
function shown(text: string, server: string): string {
  const frame = notificationFrame(text);
  return textOfChunks(splice(frame.bytes, withServerName(frame, server)));
}
const message = (params: string) => `{"jsonrpc":"2.0","method":"notifications/message","params":${params}}`;

describe('withServerName', () => {
  it.each([
    ['{"level":"info","data":1.0}', '{"logger":"git\\"hub","level":"info","data":1.0}'],
    ['{ "data":{"logger":"no"} }', '{"logger":"git\\"hub", "data":{"logger":"no"} }'],
    ['{"logger":"db","data":"x"}', '{"logger":"git\\"hub/db","data":"x"}'],
    ['{"data":"x", "logger" : null}', '{"data":"x", "logger" : "git\\"hub"}'],
  ])('puts the name of the server into %s', (params, named) => {
    expect(shown(message(params), 'git"hub')).toBe(message(named));
  });

  it.each(['[1]', '7', '{}'])('leaves the odd parameters %s alone', (params) => {
    expect(shown(message(params), 's')).toBe(message(params));
  });

  it('leaves a message without parameters alone', () => {
    const text = '{"jsonrpc":"2.0","method":"notifications/message"}';
    expect(shown(text, 's')).toBe(text);
  });
});

describe('the log level', () => {
  function open(...upstreams: FakeUpstream[]) {
    const relay = new LogLevelRelay(viewsOf(...upstreams), { logLevel: undefined });
    const link = new TestLink();
    peerOn(link, { ...ignoring, onrequest: (request: IncomingRequest) => relay.setLevel(request) });
    const ask = (level: string) =>
      link.receive(
        `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"${level}","n":1.0}}`,
      );
    return { relay, link, ask };
  }
  const told = ({ server }: FakeUpstream) =>
    server.receivedOf('logging/setLevel').map((text) => /"params":(.*)}$/.exec(text)?.[1]);

  it('goes to every running server that logs, as it was written, and is answered at once', async () => {
    const [logs, silent] = [new FakeUpstream('a', { has: ['logging'] }), new FakeUpstream('b')];
    const { link, ask } = open(logs, silent);
    ask('debug');
    expect(link.sent).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}']);
    await settled();
    expect([told(logs), told(silent)]).toEqual([['{"level":"debug","n":1.0}'], []]);
  });

  it('is told to servers that come up later, the latest of several', async () => {
    const late = new FakeUpstream('a', { has: ['logging'], state: 'idle' });
    const { relay, ask } = open(late);
    ask('debug');
    ask('error');
    relay.tell(late.start());
    await settled();
    expect(told(late)).toEqual(['{"level":"error","n":1.0}']);
  });

  it('is told to nobody while no client has asked for one', async () => {
    const upstream = new FakeUpstream('a', { has: ['logging'] });
    const { relay } = open(upstream);
    if (upstream.connection !== undefined) relay.tell(upstream.connection);
    await settled();
    expect(upstream.server.received).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { Catalog } from '../../src/catalog/catalog.ts';
import { unsearched } from '../../src/downstream/unsearched.ts';
import { snapshotOf } from '../catalog/samples.ts';
import { FakeUpstream, viewsOf } from './fake-upstream.ts';

function found(known: readonly string[], ...upstreams: FakeUpstream[]) {
  const catalog = new Catalog(() => {});
  for (const server of known) catalog.replaceUpstream(server, snapshotOf(server, []));
  return unsearched({ upstreams: viewsOf(...upstreams), catalog });
}

describe('servers that no search can reach', () => {
  it('are those whose tools nobody knows, in order, with their state and reason', () => {
    const reason = 'exited with code 1';
    const servers = found(
      ['known', 'crashed-but-known'],
      new FakeUpstream('known'),
      new FakeUpstream('crashed-but-known', { state: 'failed', reason }),
      new FakeUpstream('starting', { state: 'starting' }),
      new FakeUpstream('broken', { state: 'failed', reason }),
    );
    expect(servers.map(({ server, state, reason: why }) => [server, state, why])).toEqual([
      ['starting', 'starting', 'its tools are not known yet'],
      ['broken', 'failed', reason],
    ]);
  });

  it('come without advice of their own where one notice says why none of them runs', () => {
    const upstreams = viewsOf(new FakeUpstream('a', { state: 'failed', reason: 'run: toolsift trust x' }));
    const servers = unsearched({ upstreams, catalog: new Catalog(() => {}), notice: 'No server runs' });
    expect(servers).toEqual([{ server: 'a', state: 'failed', reason: 'run: toolsift trust x' }]);
  });

  it('do not include those that are switched off', () => {
    expect(found([], new FakeUpstream('off', { state: 'disabled' }))).toEqual([]);
  });

  it.each(['idle', 'starting', 'ready', 'backoff', 'failed'])(
    'come with what to do about the state %s',
    (state) => {
      expect(found([], new FakeUpstream('a', { state }))[0]?.fix).toMatch(/\w+ \w+/);
    },
  );
});

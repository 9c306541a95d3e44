import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { IncomingRequest } from '../../../src/jsonrpc/incoming-request.ts';
import { createLinkedLinks } from '../../../src/jsonrpc/linked-links.ts';
import { listAll } from '../../../src/upstream/lists/list-all.ts';
import { ListBudget } from '../../../src/upstream/lists/list-budget.ts';
import { ignoring, peerOn } from '../../jsonrpc/messages.ts';

const AMPLE = { maxListBytes: 1_000_000, maxListItems: 10_000 };

/** A client of a server that answers its nth `tools/list` with the nth page, the last one again and again. */
function clientOf(pages: readonly string[], limits = AMPLE) {
  const budget = new ListBudget(limits);
  const [ours, theirs] = createLinkedLinks();
  const asked: string[] = [];
  const onrequest = (request: IncomingRequest) => {
    const page = pages[Math.min(asked.length, pages.length - 1)] ?? '{}';
    asked.push(request.frame.bytes.toString());
    if (page.startsWith('error ')) request.error(Number(page.slice(6)), 'no such list');
    else request.result(page);
  };
  peerOn(theirs, { ...ignoring, onrequest });
  const peer = peerOn(ours, ignoring);
  return { asked, list: (signal?: AbortSignal) => listAll(peer, 'tools/list', 'tools', { signal, budget }) };
}

describe('listAll', () => {
  it('follows the pages and keeps each item as it was written', async () => {
    const { list, asked } = clientOf([
      '{"nextCursor":"p\\u00322","tools":[{"name":"a","n":1e400}, 7 ]}',
      '{"tools":[],"nextCursor":"p3"}',
      '{"tools":[null,{ "name" : "b" }]}',
    ]);
    expect(await list()).toEqual(['{"name":"a","n":1e400}', '7', 'null', '{ "name" : "b" }']);
    expect(asked).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"p\\u00322"}}',
      '{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"p3"}}',
    ]);
  });

  it('is given up beyond the bytes it may have, over all its pages', async () => {
    const page = `{"tools":["${'x'.repeat(600)}"],"nextCursor":"a"}`;
    const { list, asked } = clientOf([page], { ...AMPLE, maxListBytes: 1000 });
    await expect(list()).rejects.toMatchObject({ code: 'upstream_lists_too_large' });
    expect(asked).toHaveLength(2);
  });

  it('is given up beyond the items it may have, over all its pages', async () => {
    const { list, asked } = clientOf(['{"tools":[1,2],"nextCursor":"a"}', '{"tools":[3,4]}'], {
      ...AMPLE,
      maxListItems: 3,
    });
    await expect(list()).rejects.toThrow('more than 3 items');
    expect(asked).toHaveLength(2);
  });

  it('lets everything else have its turn while a long page is read', async () => {
    const count = 200_000;
    const { list } = clientOf([`{"tools":[${Array(count).fill('{"name":"tool"}').join()}]}`], {
      maxListBytes: 10_000_000,
      maxListItems: count,
    });
    let turns = 0;
    let isReading = true;
    const reading = list().finally(() => {
      isReading = false;
    });
    while (isReading) {
      await nextTurn();
      turns++;
    }
    expect((await reading).length).toBe(count);
    expect(turns).toBeGreaterThan(3);
  });

  it('stops at a cursor it has had before', async () => {
    const { list, asked } = clientOf([
      '{"tools":[1],"nextCursor":"a"}',
      '{"tools":[2],"nextCursor":"b"}',
      '{"tools":[3],"nextCursor":"a"}',
    ]);
    expect(await list()).toEqual(['1', '2', '3']);
    expect(asked).toHaveLength(3);
  });

  it('stops at a cap when a server invents cursors without end', async () => {
    const [ours, theirs] = createLinkedLinks();
    let page = 0;
    peerOn(theirs, {
      ...ignoring,
      onrequest: (request) => request.result(`{"tools":[${page}],"nextCursor":"${++page}"}`),
    });
    const items = await listAll(peerOn(ours, ignoring), 'tools/list', 'tools', {
      budget: new ListBudget(AMPLE),
    });
    expect([items.length, page]).toEqual([1000, 1000]);
  });

  it.each(['null', '""'])('takes the cursor %s for the end', async (cursor) => {
    const { list, asked } = clientOf([`{"tools":[1],"nextCursor":${cursor}}`]);
    expect(await list()).toEqual(['1']);
    expect(asked).toHaveLength(1);
  });

  it.each(['{}', '{"tools":null}', '{"tools":{"a":1}}', '{"tools":"x"}', 'null', '[]', '7'])(
    'finds no items in the result %s',
    async (page) => {
      expect(await clientOf([page]).list()).toEqual([]);
    },
  );

  it('fails with the code the server answered with', async () => {
    await expect(clientOf(['error -32601']).list()).rejects.toMatchObject({
      code: 'upstream_invalid_message',
      message: 'answered tools/list with error -32601: no such list',
      facts: { rpcCode: -32601 },
    });
  });

  it('ends with its signal', async () => {
    const { list } = clientOf(['{"tools":[]}']);
    await expect(list(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});

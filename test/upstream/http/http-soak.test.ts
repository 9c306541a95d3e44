import { describe, expect, it } from 'vitest';
import { deadly, silent, survivable } from '../../fixtures/http/call-faults.mjs';
import { connect, serverFor } from '../../fixtures/http/remote.ts';
import { waitFor, within } from '../../helpers/wait-for.ts';

const CLIENTS = 16;
const ALL = { ...deadly, ...survivable, ...silent };

describe('under every fault at once', () => {
  it('each call of 16 clients gets its own answer or a typed error, and nothing is left', async () => {
    const done: string[] = [];
    const server = await serverFor({
      hasStream: true,
      call: ({ arguments: { kind, n } }, res, message, self) => {
        done.push(`${kind} ${n}`);
        ALL[String(kind)]?.(res, message, self);
        return undefined;
      },
    });
    const remotes = await Promise.all(Array.from({ length: CLIENTS }, () => connect(server.url)));
    const calls = remotes.flatMap((remote, client) =>
      Object.keys(ALL).map(async (kind, index) => {
        const n = client * 1000 + index;
        const limit = kind in silent ? AbortSignal.timeout(500) : undefined;
        const call = remote.call({ kind, n }, limit).catch((error: Error) => error);
        return { kind, n, outcome: await within(kind, 10_000, call) };
      }),
    );
    for (const { kind, n, outcome } of await Promise.all(calls)) {
      const expected = kind === 'error400' ? '"data":1.0' : `"n":${n}}`;
      if (kind in survivable) expect(outcome, kind).toContain(expected);
      else if (kind in silent) expect(outcome, kind).toMatchObject({ name: 'TimeoutError' });
      else expect(outcome, kind).toMatchObject({ code: expect.stringMatching(/^upstream_/) });
    }
    expect(new Set(done).size, 'no call is made twice').toBe(done.length);
    expect(remotes.every(({ closeReason }) => closeReason === undefined)).toBe(true);
    await Promise.all(remotes.map(({ connection }) => connection.close()));
    await waitFor('no connections', async () => (await server.connections()) === 0);
  }, 60_000);
});

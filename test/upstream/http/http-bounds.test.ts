import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { streamHead } from '../../fixtures/http/fault-server.mjs';
import { connect, connectFailure, failureOf, serverFor } from '../../fixtures/http/remote.ts';
import { waitFor, within } from '../../helpers/wait-for.ts';

const PIECE = Buffer.alloc(32 * 1024, 'data:\n');

/** Writes as fast as it is read, until the other side has had enough. */
function writeWithoutEnd(res: ServerResponse, piece: Buffer = PIECE): void {
  const write = () => {
    while (!res.destroyed && res.write(piece));
  };
  res.on('drain', write);
  res.on('error', () => {});
  write();
}

describe('what a server sends without end', () => {
  it.each(['as an event', 'as a body'])('%s in place of an answer ends that call', async (form) => {
    const server = await serverFor({
      call: ({ arguments: { good } }, res) => {
        if (good) return '{}';
        res.writeHead(200, form === 'as an event' ? streamHead : { 'content-type': 'application/json' });
        writeWithoutEnd(res);
        return undefined;
      },
    });
    const remote = await connect(server.url, { maxMessageBytes: 100_000 });
    const failure = await within('the failure', 5000, failureOf(remote.call()));
    expect(failure.code).toBe('message_too_large');
    expect(failure.message).toContain('"maxMessageBytes"');
    expect(await remote.call({ good: true })).toBe('{}');
  });

  it('as a refusal is read no further than its limit', async () => {
    const server = await serverFor({
      call: (_params, res) => {
        res.writeHead(500, { 'content-type': 'text/plain' }).write('out of order, ');
        writeWithoutEnd(res, Buffer.alloc(1000, 'very '));
        return undefined;
      },
    });
    const remote = await connect(server.url, { maxMessageBytes: 1_000_000 });
    const failure = await within('the failure', 5000, failureOf(remote.call()));
    expect(failure.message).toMatch(/HTTP 500 .*out of order, very very/);
  });

  it('as the refusal of an event stream is read no further than its limit', async () => {
    const server = await serverFor({
      faults: (_req, res) => {
        res.writeHead(503);
        writeWithoutEnd(res);
        return true;
      },
    });
    const failure = await within(
      'the failure',
      5000,
      connectFailure(server.url, { transport: 'sse', maxMessageBytes: 1_000_000 }),
    );
    expect(failure.facts.httpStatus).toBe(503);
  });

  it('in place of nothing, after a notification, is not read', async () => {
    let isEnded = false;
    const server = await serverFor({
      faults: (_req, res, message) => {
        if (message?.method !== 'notifications/progress') return false;
        res.once('close', () => {
          isEnded = true;
        });
        res.writeHead(202);
        writeWithoutEnd(res);
        return true;
      },
    });
    const remote = await connect(server.url);
    remote.connection.peer.notify('notifications/progress', '{"progressToken":1,"progress":1}');
    await waitFor('the end of the response', () => isEnded);
    expect(await remote.call({ n: 1 })).toContain('did 1');
  });
});

describe('a server that asks for no pause between streams', () => {
  it('is not asked for its messages again and again at once', async () => {
    let opened = 0;
    const server = await serverFor({
      faults: (req, res) => {
        if (req.method !== 'GET') return false;
        res.writeHead(200, streamHead).end(`retry: 0\nid: ${++opened}\n\n`);
        return true;
      },
    });
    const remote = await connect(server.url);
    await waitFor('some streams', () => opened > 2);
    const before = [opened, performance.now()] as const;
    await new Promise((resolve) => setTimeout(resolve, 400));
    const perSecond = (opened - before[0]) / ((performance.now() - before[1]) / 1000);
    expect(perSecond).toBeLessThan(15);
    await remote.connection.close();
  });

  it('is not asked for an answer again and again at once', async () => {
    let resumed = 0;
    const server = await serverFor({
      faults: (req, res) => {
        if (req.headers['last-event-id'] === undefined) return false;
        res.writeHead(200, streamHead).end(`retry: 0\nid: ${++resumed}\n\n`);
        return true;
      },
      call: (_params, res) => {
        res.writeHead(200, streamHead).end('retry: 99999999999\nretry: 0\nid: x\n\n');
        return undefined;
      },
    });
    const remote = await connect(server.url);
    const abort = new AbortController();
    const call = failureOf(remote.call({}, abort.signal));
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(resumed).toBeGreaterThan(0);
    expect(resumed).toBeLessThan(10);
    abort.abort(new Error('enough'));
    await call;
  });
});

import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitFor } from '../../helpers/wait-for.ts';
import { EventReader } from './event-reader.ts';
import { call, INITIALIZE, openSession, post, serveStub } from './served-stub.ts';

const MEGABYTE = 1024 * 1024;

async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function everything(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

describe('a body', () => {
  it('above the limit is refused at once where its length says so', async () => {
    const { url } = await serveStub({ maxBodyBytes: 1000 });
    const response = await post(url, call(1, 'echo', { text: 'x'.repeat(1000) }));
    expect(response.status).toBe(413);
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining('1000 bytes') },
    });
  });

  it('above the limit whose length nobody knows is refused in the middle, and the connection ends', async () => {
    const { port } = await serveStub({ maxBodyBytes: 1000 });
    const socket = await openSocket(port);
    socket.on('error', () => {});
    const said = everything(socket);
    socket.write(
      'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    );
    const chunk = 'x'.repeat(1024);
    const sending = setInterval(() => socket.write(`400\r\n${chunk}\r\n`), 5);
    expect(await said).toMatch(/^HTTP\/1.1 413 /);
    clearInterval(sending);
  });

  it('may be as large as the limit', async () => {
    const { url } = await serveStub({ maxBodyBytes: 2 * MEGABYTE });
    const session = await openSession(url);
    const body = JSON.stringify(call(1, 'echo', { text: '' }));
    const response = await post(url, body.padEnd(2 * MEGABYTE, ' '), session);
    expect(response.status).toBe(200);
    await response.text();
  });

  it('that its sender breaks off costs nothing but itself', async () => {
    const { port, url, lines } = await serveStub();
    const socket = await openSocket(port);
    socket.write(
      'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await waitFor('the line of the log', () => lines.some((line) => line.includes(' left ')));
    expect((await post(url, INITIALIZE)).status).toBe(200);
  });
});

describe('calls', () => {
  it('above the limit of a session are refused, and those of others are not', async () => {
    const { url, conversations } = await serveStub({ maxOpenCalls: 2 });
    const [one, two] = [await openSession(url), await openSession(url)];
    const open = [post(url, call(1, 'wait'), one), post(url, call(2, 'wait'), one)];
    await waitFor('two calls', () => conversations[0]?.waiting.length === 2);
    const refused = await post(url, call(3, 'echo'), one);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ id: 3 });
    expect((await post(url, call(1, 'echo'), two)).status).toBe(200);
    conversations[0]?.answer('1', '{}');
    await open[0];
    expect((await post(url, call(3, 'echo'), one)).status).toBe(200);
    conversations[0]?.answer('2', '{}');
    await open[1];
  });
});

describe('sessions', () => {
  it('above the limit are refused, unless one has not been used for a while', async () => {
    let now = 0;
    const { url, sessions } = await serveStub({ maxSessions: 2, now: () => now });
    const first = await openSession(url);
    now = 1000;
    const second = await openSession(url);
    const refused = await post(url, INITIALIZE);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    now = 60_500;
    await openSession(url);
    expect(sessions.size).toBe(2);
    expect((await post(url, call(1, 'echo'), first)).status).toBe(404);
    expect((await post(url, call(1, 'echo'), second)).status).toBe(200);
  });
});

describe('a reader that stops', () => {
  it('has its stream ended once too much is unread, and can go on where it was', async () => {
    const { port, url, conversations } = await serveStub();
    const session = await openSession(url);
    const socket = await openSocket(port);
    socket.pause();
    const headers = Object.entries({ ...session, accept: 'text/event-stream' }).map(
      ([key, value]) => `${key}: ${value}\r\n`,
    );
    socket.write(`GET /mcp HTTP/1.1\r\nhost: localhost\r\n${headers.join('')}\r\n`);
    const [conversation] = conversations;
    const standing = conversation?.link;
    await waitFor(
      'the stream',
      () => standing !== undefined && 'isInUse' in standing && standing.isInUse === true,
    );
    const before = process.memoryUsage().rss;
    const text = JSON.stringify({ level: 'info', data: 'x'.repeat(MEGABYTE) });
    for (let count = 0; count < 200; count += 1) {
      conversation?.notify('notifications/message', text);
      if (count % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(standing).toMatchObject({ isInUse: false });
    expect(process.memoryUsage().rss - before).toBeLessThan(120 * MEGABYTE);
    const again = new EventReader(await fetch(url, { headers: { ...session, accept: 'text/event-stream' } }));
    await again.next();
    conversation?.notify('notifications/message', JSON.stringify({ level: 'info', data: 'last' }));
    let last = '';
    while (!last.includes('"last"')) last = (await again.next())?.data ?? '';
    await again.cancel();
  });
});

describe('a flood', () => {
  it('of one session does not keep others from being answered', async () => {
    const { url, conversations } = await serveStub({ maxOpenCalls: 4 });
    const [flooder, good] = [await openSession(url), await openSession(url)];
    for (let id = 0; id < 4; id += 1) void post(url, call(id, 'wait'), flooder).catch(() => {});
    await waitFor('its calls', () => conversations[0]?.waiting.length === 4);
    const statuses: number[] = [];
    const flood = Array.from({ length: 32 }, async (_, lane) => {
      for (let turn = 0; turn < 3; turn += 1) {
        const response = await post(url, call(`${lane}-${turn}`, 'echo'), flooder);
        statuses.push(response.status);
        await response.text();
      }
    });
    const times: number[] = [];
    for (let id = 0; id < 40; id += 1) {
      const startedAt = performance.now();
      expect((await post(url, call(id, 'echo'), good)).status).toBe(200);
      times.push(performance.now() - startedAt);
    }
    await Promise.all(flood);
    expect(new Set(statuses)).toEqual(new Set([429]));
    expect(times.toSorted((a, b) => a - b)[20]).toBeLessThan(100);
  });
});

describe('draining', () => {
  it('lets what was begun be answered, takes nothing new, and then ends', async () => {
    const { front, url, conversations } = await serveStub();
    const session = await openSession(url);
    const waiting = post(url, call(1, 'wait'), session);
    await waitFor('the call', () => conversations[0]?.waiting.length === 1);
    const drained = front.drain(10_000);
    expect((await post(url, call(2, 'echo'), session)).status).toBe(503);
    expect((await post(url, INITIALIZE)).status).toBe(503);
    expect((await post(url, { jsonrpc: '2.0', id: 'q', result: {} }, session)).status).toBe(202);
    conversations[0]?.answer('1', '{"done":true}');
    expect(await (await waiting).json()).toMatchObject({ result: { done: true } });
    await drained;
    await front.close();
    expect(conversations[0]?.closeReason?.message).toBe('the server is stopping');
    await expect(post(url, INITIALIZE)).rejects.toThrow();
  });

  it('does not wait without end', async () => {
    const { front, url, conversations } = await serveStub();
    const session = await openSession(url);
    const waiting = post(url, call(1, 'wait'), session);
    await waitFor('the call', () => conversations[0]?.waiting.length === 1);
    await front.drain(60);
    await front.close();
    expect((await waiting).status).toBe(404);
  });
});

describe('a connection', () => {
  it('on which no whole request comes in time is ended', async () => {
    const { port } = await serveStub({ headersTimeoutMs: 300, requestTimeoutMs: 600 });
    const [silent, slowHead, slowBody] = [
      await openSocket(port),
      await openSocket(port),
      await openSocket(port),
    ];
    const ends = [silent, slowHead, slowBody].map(everything);
    slowHead.write('POST /mcp HTTP/1.1\r\nhost: local');
    slowBody.write(
      'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    );
    const texts = await Promise.all(ends);
    expect(texts[1]).toMatch(/^HTTP\/1.1 408 /);
    expect(texts[2]).toMatch(/^HTTP\/1.1 408 /);
  });

  it('with large headers is refused', async () => {
    const { port } = await serveStub();
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest(
        { port, path: '/mcp', headers: { 'x-large': 'x'.repeat(20_000) } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.once('error', reject);
      sent.end();
    });
    expect(status).toBe(431);
  });
});

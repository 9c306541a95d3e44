import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import type { HttpClient } from '../helpers/http-client.ts';
import { type Serving, startServing } from '../helpers/serving.ts';
import { CLI } from '../helpers/toolsift.ts';

const CONNECTIONS = 1000;

async function medianOf(client: HttpClient): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 40; turn += 1) {
    const startedAt = performance.now();
    expect((await client.invoke('slow', 'say')).error).toBeUndefined();
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[20] ?? Number.POSITIVE_INFINITY;
}

async function openIdle(serving: Serving): Promise<Socket[]> {
  const { port, hostname } = new URL(serving.url);
  const sockets: Socket[] = [];
  for (let count = 0; count < CONNECTIONS; count += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {}).resume();
    await once(socket, 'connect');
    sockets.push(socket);
  }
  return sockets;
}

describe('a crowd', () => {
  it('of 1,000 idle connections leaves others served as before, and is let go of', async () => {
    const serving = await startServing({ servers: { slow: fixture('slow') } });
    const client = await serving.connect();
    await client.listed('slow');
    const before = await medianOf(client);
    const sockets = await openIdle(serving);
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
    // The machine may be busy with other tests.
    expect(await medianOf(client)).toBeLessThan(before * 3 + 20);
    await Promise.all(sockets.map((socket) => (socket.destroyed ? undefined : once(socket, 'close'))));
  }, 60_000);

  it('of connections that send no whole request in time is ended, slow heads and slow bodies', async () => {
    const serving = await startServing({ servers: {} });
    const { port, hostname } = new URL(serving.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    let said = '';
    socket.on('data', (chunk) => {
      said += chunk;
    });
    socket.write('POST /mcp HTTP/1.1\r\nhost: localhost\r\nx-slow: ');
    const dripping = setInterval(() => socket.write('x'), 500);
    await once(socket, 'close');
    clearInterval(dripping);
    expect(said).toMatch(/^HTTP\/1\.1 408 /);
  }, 40_000);
});

describe('toolsift mcp', () => {
  it('loads nothing of what serves', () => {
    const folder = join(dirname(CLI), 'chunks');
    const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
    const files = readdirSync(folder);
    const start = files.find((file) => file.startsWith('mcp-')) ?? '';
    const loaded = new Set([start]);
    // What is loaded at once; what is loaded when it is needed stands behind an arrow.
    for (const file of loaded) {
      for (const [, other] of textOf(file).matchAll(/(?<!=>)require\("\.\/([\w-]+\.js)"\)/g))
        loaded.add(other ?? '');
    }
    expect(loaded.size).toBeGreaterThan(1);
    for (const mark of ['toolsift_http_requests_total', 'x-accel-buffering', 'oauth-protected-resource']) {
      const holders = files.filter((file) => textOf(file).includes(mark));
      expect(holders.length).toBeGreaterThan(0);
      expect(holders.filter((file) => loaded.has(file))).toEqual([]);
    }
  });
});

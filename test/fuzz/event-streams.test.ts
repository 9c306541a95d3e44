import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ToolsiftError } from '../../src/errors.ts';
import { SseReader } from '../../src/upstream/http/sse-reader.ts';
import { connect, type Remote, serverFor } from '../fixtures/http/remote.ts';
import { waitFor, within } from '../helpers/wait-for.ts';
import {
  Chance,
  FUZZ_SEED,
  FUZZ_TEST_MS,
  fuzz,
  MAX_MESSAGE_BYTES,
  MAX_PROCESSOR_MS,
  processorMs,
  processorMsOfTurns,
} from './budget.ts';
import { cut, hostileEvents, oddMessage } from './event-stream-input.ts';

const ANSWER = '{"n":1.0}';
const LIMIT = 2 * MAX_MESSAGE_BYTES;
const MAX_KEPT_BYTES = 40 * 1024 * 1024;
const STATUSES = [200, 200, 200, 200, 202, 204, 301, 307, 308, 400, 401, 403, 404, 405, 429, 500, 503];
const TYPES = [
  'text/event-stream',
  'text/event-stream',
  'application/json',
  'text/html',
  '',
  'a'.repeat(5000),
];
const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'retry-after': '1' },
  { location: '/mcp' },
  { location: 'http://[' },
  { 'mcp-session-id': 'x'.repeat(5000) },
  { 'www-authenticate': 'Bearer error="insufficient_scope"' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'br' },
];

function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** What the reader makes of these chunks; payloads by their length and their beginning. */
function read(chunks: readonly Buffer[]): string[] {
  const seen: string[] = [];
  const reader = new SseReader({
    limit: 50_000,
    onevent: ({ type, id, data }) => {
      const head = Buffer.isBuffer(data) ? data : data.head;
      const length = Buffer.isBuffer(data) ? data.length : data.bytes;
      seen.push(`${type} ${id} ${length} ${head.toString('latin1', 0, 100)}`);
    },
    onretry: (ms) => seen.push(`retry ${ms}`),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return seen;
}

describe('whatever a server writes into an event stream', () => {
  it('is read within its budget, the same wherever it is cut', { timeout: FUZZ_TEST_MS }, async () => {
    const rounds = await fuzz((chance) => {
      const bytes = hostileEvents(chance, `{"jsonrpc":"2.0","id":1,"result":${ANSWER}}`);
      const chunks = cut(bytes, chance);
      let events: string[] = [];
      const spent = processorMs(() => {
        events = read(chunks);
      });
      expect(spent).toBeLessThan(MAX_PROCESSOR_MS);
      expect(events).toEqual(read([bytes]));
    });
    expect(rounds).toBeGreaterThan(20);
  });
});

describe('whatever a server answers over HTTP', () => {
  it('settles its call within the budget, and the next call is answered', {
    timeout: FUZZ_TEST_MS,
  }, async () => {
    let seed = FUZZ_SEED;
    const server = await serverFor({
      call: ({ arguments: { good } }, res, message) => {
        if (good) return ANSWER;
        const chance = new Chance(seed);
        const answer = `{"jsonrpc":"2.0","id":${message.id},"result":${ANSWER}}`;
        const type = chance.pick(TYPES);
        const bytes = type.includes('event')
          ? hostileEvents(chance, answer)
          : Buffer.from(chance.isHit(0.3) ? answer : oddMessage(chance));
        const headers: Record<string, string> = { 'content-type': type, ...chance.pick(HEADERS) };
        const isSqueezed = headers['content-encoding'] === 'gzip' && chance.isHit(0.8);
        res.writeHead(chance.pick(STATUSES), headers);
        // No pause asked for: where a stream may be continued the test would wait for it.
        if (type.includes('event') && !isSqueezed) res.write('retry: 0\n\n');
        for (const chunk of cut(isSqueezed ? gzipSync(bytes) : bytes, chance)) res.write(chunk);
        if (chance.isHit(0.8)) res.end();
        else setImmediate(() => res.destroy());
        return undefined;
      },
    });
    const failures: unknown[] = [];
    const before = bytesInUse();
    const tryOnce = async (remote: Remote) => {
      const call = remote.call({}).catch((error: unknown) => failures.push(error));
      await within('the end of the call', 10_000, call);
    };
    let remote = await connect(server.url, { maxMessageBytes: LIMIT });
    const rounds = await fuzz(async (_chance, number) => {
      seed = FUZZ_SEED + number;
      const spent = await processorMsOfTurns(() => tryOnce(remote));
      expect(spent).toBeLessThan(MAX_PROCESSOR_MS);
      expect(failures.filter((error) => !(error instanceof ToolsiftError))).toEqual([]);
      failures.length = 0;
      if (remote.closeReason !== undefined) remote = await connect(server.url, { maxMessageBytes: LIMIT });
      expect(await remote.call({ good: true })).toBe(ANSWER);
      server.requests.length = 0;
      for (const list of [remote.notifications, remote.requests, remote.faults]) list.length = 0;
    });
    await waitFor('memory to be free again', () => bytesInUse() - before < MAX_KEPT_BYTES);
    expect(rounds).toBeGreaterThan(20);
  });
});

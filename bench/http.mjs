// What a call to a remote server costs through toolsift, against the same call made directly over HTTP:
//
//   node bench/http.mjs [--rounds 500]
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { startFaultServer } from '../test/fixtures/http/fault-server.mjs';
import { HttpBenchClient } from './http-client.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '500' } } });
const ROUNDS = Number(values.rounds);
const SIZES = [
  ['200 B', 200, ROUNDS],
  ['1 MB', 1_000_000, Math.ceil(ROUNDS / 5)],
];

/** The plainest client there is: one connection kept alive, the body read to its end. */
class Direct {
  #agent = new Agent({ keepAlive: true });
  #session;
  #url;
  #lastId = 0;

  constructor(url) {
    this.#url = url;
  }

  async initialize() {
    const clientInfo = { name: 'direct', version: '1' };
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  }

  invoke(name, args) {
    return this.request('tools/call', { name, arguments: args });
  }

  request(method, params) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++this.#lastId, method, params });
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(this.#session && { 'mcp-session-id': this.#session }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(this.#url, { method: 'POST', agent: this.#agent, headers }, (response) => {
        this.#session ??= response.headers['mcp-session-id'];
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks)));
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

async function time(client, bytes) {
  const startedAt = performance.now();
  const answer = await client.invoke('do', { bytes });
  const took = performance.now() - startedAt;
  if (answer.length < bytes) throw new Error(`${answer.length} bytes instead of ${bytes}`);
  return took;
}

function quantile(samples, share) {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length * share)];
}

async function compare(form, answersAsStream) {
  const texts = new Map(
    SIZES.map(([, bytes]) => [bytes, `{"content":[{"type":"text","text":"${'x'.repeat(bytes)}"}]}`]),
  );
  const server = await startFaultServer({
    answersAsStream,
    call: ({ arguments: { bytes } }) => texts.get(bytes),
  });
  const routes = { direct: new Direct(server.url), toolsift: new HttpBenchClient({ url: server.url }) };
  for (const client of Object.values(routes)) await client.initialize();
  for (const [label, bytes, rounds] of SIZES) {
    const samples = { direct: [], toolsift: [] };
    for (let round = -Math.ceil(rounds / 5); round < rounds; round++) {
      for (const [name, client] of Object.entries(routes)) {
        const took = await time(client, bytes);
        if (round >= 0) samples[name].push(took);
      }
    }
    const [direct, toolsift] = [samples.direct, samples.toolsift].map((one) => quantile(one, 0.5));
    const p99 = quantile(samples.toolsift, 0.99);
    console.log(
      `${form}, ${label}: direct ${direct.toFixed(2)} ms, through toolsift ${toolsift.toFixed(2)} ms ` +
        `(${(toolsift / direct).toFixed(2)}x, p99 ${p99.toFixed(2)} ms)`,
    );
  }
  await routes.toolsift.close();
  routes.direct.close();
  await server.close();
}

await compare('JSON', false);
await compare('stream', true);

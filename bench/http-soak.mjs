// Lets a server go wrong in every way under many clients, each through a toolsift of its own, and checks that every
// call gets its answer or a typed error in time, that nobody storms the server, and that nothing is left behind.
//
//   node bench/http-soak.mjs [--seconds 120] [--clients 16] [--callers 4] [--limit 5]
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { deadly, silent, survivable } from '../test/fixtures/http/call-faults.mjs';
import { startFaultServer } from '../test/fixtures/http/fault-server.mjs';
import { HttpBenchClient } from './http-client.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    clients: { type: 'string', default: '16' },
    callers: { type: 'string', default: '4' },
    limit: { type: 'string', default: '5' },
  },
});
const CALL_LIMIT_S = Number(values.limit);
/** The time limit of a call, a handshake that is retried, and a busy machine. */
const BOUND_MS = (CALL_LIMIT_S + 12) * 1000;
const ALL = { ...survivable, ...deadly, ...silent };
const KINDS = Object.keys(ALL);

const clientOf = (req) => String(req.headers['x-client']);
const connecting = new Map();
let mostConnecting = 0;
const connectTimes = new Map();

function countConnect(req, res) {
  const client = clientOf(req);
  const open = (connecting.get(client) ?? 0) + 1;
  connecting.set(client, open);
  mostConnecting = Math.max(mostConnecting, open);
  connectTimes.set(client, [...(connectTimes.get(client) ?? []), Date.now()]);
  res.once('close', () => connecting.set(client, connecting.get(client) - 1));
}

/** A fifth of all attempts to connect go wrong as well, and streams of server messages do not last. */
function faults(req, res, message) {
  if (req.method === 'GET') setTimeout(() => res.destroy(), 500 + Math.random() * 3000).unref();
  if (message?.method !== 'initialize') return false;
  countConnect(req, res);
  const chance = Math.random();
  if (chance < 0.05) res.writeHead(503, { 'retry-after': '1' }).end();
  else if (chance < 0.1) res.writeHead(429, { 'retry-after': '1' }).end();
  else if (chance < 0.15) res.destroy();
  else if (chance < 0.2) res.writeHead(200, { 'content-type': 'text/html' }).end('<title>Gateway</title>');
  else return false;
  return true;
}

const seen = new Map();
const server = await startFaultServer({
  hasStream: true,
  faults,
  call: ({ arguments: { kind, key } }, res, message, self) => {
    seen.set(key, (seen.get(key) ?? 0) + 1);
    ALL[kind](res, message, self);
  },
});

const outcomes = new Map();
const problems = [];
const note = (text) => problems.push(text) > 20 || console.log(`PROBLEM ${text}`);
let slowest = 0;

async function callOnce(client, index, n) {
  const kind = KINDS[Math.floor(Math.random() * KINDS.length)];
  const key = `${index}-${n}`;
  const startedAt = Date.now();
  const line = (await client.invoke('do', { kind, n, key })).toString('utf8');
  const took = Date.now() - startedAt;
  slowest = Math.max(slowest, took);
  const code = /"toolsift\/error":"(\w+)"/.exec(line)?.[1];
  const isRight =
    code !== undefined || (kind === 'error400' ? line.includes('"data":1.0') : line.includes(`"n":${n}}`));
  if (took > BOUND_MS) note(`${kind} took ${took} ms`);
  if (!isRight) note(`${kind} got ${line.slice(0, 300)}`);
  if (!(kind in survivable) && code === undefined) note(`${kind} was answered: ${line.slice(0, 300)}`);
  const group = kind in survivable ? 'survivable' : kind in silent ? 'silent' : 'deadly';
  const isLate = code === 'call_timeout' && group !== 'silent';
  const label = `${isLate ? kind : group} -> ${code ?? 'answered'}`;
  outcomes.set(label, (outcomes.get(label) ?? 0) + 1);
}

function usage(pid) {
  const rssKb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return { rssMb: rssKb / 1024, files: readdirSync(`/proc/${pid}/fd`).length };
}

const clients = Array.from({ length: Number(values.clients) }, (_, index) => {
  const headers = { 'X-Client': String(index) };
  return new HttpBenchClient({ url: server.url, headers, timeoutSeconds: CALL_LIMIT_S });
});
await Promise.all(clients.map((client) => client.initialize()));
const endAt = Date.now() + Number(values.seconds) * 1000;
let calls = 0;
const run = async (client, index) => {
  while (Date.now() < endAt) await callOnce(client, index, ++calls);
};
const halfway = new Promise((resolve) => {
  setTimeout(() => resolve(clients.map(({ pid }) => usage(pid))), Number(values.seconds) * 500);
});
await Promise.all(
  clients.flatMap((client, index) =>
    Array.from({ length: Number(values.callers) }, () => run(client, index)),
  ),
);
const before = await halfway;
// Connections kept alive and streams that linger go within seconds.
await new Promise((resolve) => setTimeout(resolve, 7000));
const after = clients.map(({ pid }) => usage(pid));
const left = await Promise.all(clients.map((client) => client.close()));
await new Promise((resolve) => setTimeout(resolve, 2500));

if (left.includes(false)) note('a toolsift had to be killed');
if (mostConnecting > 1) note(`${mostConnecting} attempts to connect at once`);
const repeated = [...seen.values()].filter((times) => times > 1).length;
if (repeated > 0) note(`${repeated} calls were made more than once`);
const open = await server.connections();
if (open > 0) note(`${open} connections are left`);
const most = (list, key) => Math.max(...list.map((one) => one[key]));
console.log(`${calls} calls of ${clients.length} clients, slowest ${slowest} ms`);
for (const [label, count] of [...outcomes].toSorted()) console.log(`  ${label}: ${count}`);
const connects = [...connectTimes.values()].map((times) => times.length);
console.log(`handshakes per client: at most ${Math.max(...connects)}, at once at most ${mostConnecting}`);
console.log(`open files: halfway at most ${most(before, 'files')}, at rest ${most(after, 'files')}`);
console.log(
  `memory: halfway at most ${most(before, 'rssMb').toFixed(0)} MB, at rest ${most(after, 'rssMb').toFixed(0)} MB`,
);
console.log(
  `connections left at the server: ${open}; processes that did not leave: ${left.filter((ok) => !ok).length}`,
);
await server.close();
console.log(problems.length === 0 ? 'ok' : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

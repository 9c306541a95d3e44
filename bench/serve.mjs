// serve.mjs [SECONDS]: many sessions at one address, each with calls in flight: `toolsift serve` beside a proxy made
// with the SDK, in turns, in front of the same server. Needs a build.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SESSIONS = 200;
const IN_FLIGHT = 20;
const RAMP_MS = 100;
const SECONDS = Number(process.argv[2] ?? 5);
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const SERVER = [process.execPath, at('../test/fixtures/servers/echo.mjs')];
const folder = mkdtempSync(join(tmpdir(), 'toolsift-bench-serve-'));
const config = join(folder, 'toolsift.json');
writeFileSync(
  config,
  JSON.stringify({ servers: { echo: { command: SERVER[0], args: SERVER.slice(1) } }, pinned: ['echo/echo'] }),
);

const programs = {
  'sdk proxy': [at('fixtures/sdk-http-proxy.mjs'), ...SERVER],
  toolsift: [at('../dist/cli.js'), 'serve', '--port', '0', '--config', config],
};
const env = {
  ...process.env,
  HOME: folder,
  XDG_CACHE_HOME: folder,
  XDG_DATA_HOME: folder,
  TOOLSIFT_LOG: 'info',
};

async function start(args) {
  const program = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const url = await new Promise((resolve, reject) => {
    let said = '';
    const read = (chunk) => {
      if (said.length < 10_000) said += chunk;
      const found = /serves MCP at (\S+)\n/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    };
    program.stdout.on('data', read);
    program.stderr.on('data', read);
    program.once('exit', () => reject(new Error(`ended: ${said}`)));
  });
  return { program, url };
}

const rssOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Processor time of a process so far, in milliseconds: unlike throughput, it does not depend on what else runs. */
function cpuMsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function measure(args) {
  const { program, url } = await start(args);
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const post = (body, headers = {}) =>
    new Promise((resolve, reject) => {
      const sent = request(
        url,
        {
          method: 'POST',
          agent,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'content-length': Buffer.byteLength(body),
            ...headers,
          },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk) => (text += chunk));
          response.on('end', () => resolve({ text, headers: response.headers, status: response.statusCode }));
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  const initialize = JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  });
  const sessions = [];
  for (let count = 0; count < SESSIONS; count += 1) {
    const { headers } = await post(initialize);
    const session = { 'mcp-session-id': headers['mcp-session-id'], 'mcp-protocol-version': '2025-11-25' };
    await post('{"jsonrpc":"2.0","method":"notifications/initialized"}', session);
    sessions.push(session);
  }
  const call = (id) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello ${id}"}}}`;
  const times = [];
  let errors = 0;
  let id = 1;
  const hasTool = async () =>
    (await post('{"jsonrpc":"2.0","id":"l","method":"tools/list"}', sessions[0])).text.includes(
      '"name":"echo"',
    );
  while (!(await hasTool())) await new Promise((resolve) => setTimeout(resolve, 100));
  const rssBefore = rssOf(program.pid);
  const cpuBefore = cpuMsOf(program.pid);
  const startedAt = performance.now();
  const endsAt = startedAt + SECONDS * 1000;
  const lane = async (session) => {
    while (performance.now() < endsAt) {
      const own = id++;
      const sentAt = performance.now();
      const { text, status } = await post(call(own), session).catch((error) => ({
        text: error.message,
        status: 0,
      }));
      times.push(performance.now() - sentAt);
      if (status !== 200 || !new RegExp(`"id":${own}[,}]`).test(text) || !text.includes(`hello ${own}`))
        errors += 1;
    }
  };
  const lanes = [];
  for (let turn = 0; turn < IN_FLIGHT; turn += 1) {
    for (const session of sessions) lanes.push(lane(session));
    // So many connections at once would be more than the system queues for any server.
    await new Promise((resolve) => setTimeout(resolve, RAMP_MS));
  }
  await Promise.all(lanes);
  const seconds = (performance.now() - startedAt) / 1000;
  const rssAfter = rssOf(program.pid);
  const cpuPerCall = (cpuMsOf(program.pid) - cpuBefore) / times.length;
  agent.destroy();
  program.kill('SIGTERM');
  await new Promise((resolve) => program.once('exit', resolve));
  times.sort((a, b) => a - b);
  const quantile = (share) => times[Math.floor(times.length * share)];
  return {
    perSecond: times.length / seconds,
    p50: quantile(0.5),
    p99: quantile(0.99),
    errors,
    rssBefore,
    rssAfter,
    cpuPerCall,
  };
}

try {
  console.log(`${SESSIONS} sessions, ${IN_FLIGHT} calls in flight each, ${SECONDS} s a row`);
  for (let round = 1; round <= 2; round += 1) {
    for (const [name, args] of Object.entries(programs)) {
      const { perSecond, p50, p99, errors, rssBefore, rssAfter, cpuPerCall } = await measure(args);
      console.log(
        `${name.padEnd(10)} ${perSecond.toFixed(0).padStart(6)} calls/s  p50 ${p50.toFixed(0)} ms  p99 ${p99.toFixed(0)} ms  CPU ${cpuPerCall.toFixed(2)} ms/call  errors ${errors}  RSS ${rssBefore.toFixed(0)} -> ${rssAfter.toFixed(0)} MB`,
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

// An MCP server that goes wrong at random: it exits or hangs at its start or in mid-call, floods its pipes, changes
// its list and leaks processes. `calm` in place of `wild` does only what it is asked.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { readLines } from '../fixtures/read-lines.mjs';

const [name, temper, furtherTools] = process.argv.slice(2);
const isWild = temper === 'wild';
const chance = (share) => isWild && Math.random() < share;
const recordPid = (pid) => appendFileSync(process.env.SOAK_PIDS, `${pid}\n`);
recordPid(process.pid);

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const tool = (kind) => ({
  name: `${kind}_${name}`,
  description: `${kind} of ${name}`,
  inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
});
const further = Array.from({ length: Number(furtherTools) }, (_, number) => tool(`further${number}`));
const KINDS = ['echo', 'slow', 'crash', 'hang', 'flood', 'change', 'leak'];
let hasExtra = false;

const actions = {
  echo: (n, answer) => answer(n),
  slow: (n, answer) => setTimeout(answer, Math.random() * 300, n),
  crash: () => process.exit(3),
  hang: () => {},
  flood: (n, answer) => {
    for (let line = 0; line < 2000; line++) process.stderr.write(`${'noise '.repeat(40)}\n`);
    for (let line = 0; line < 200; line++) process.stdout.write(`no message ${line}\n{"half":\n`);
    answer(n);
  },
  change: (n, answer) => {
    hasExtra = !hasExtra;
    for (let notice = 0; notice < 20; notice++) send({ method: 'notifications/tools/list_changed' });
    answer(n);
  },
  leak: (n, answer) => {
    // In our group, deaf to SIGTERM and to the end of any stream.
    const child = spawn('/bin/sh', ['-c', 'trap "" TERM HUP; sleep 3600 & wait'], { stdio: 'ignore' });
    recordPid(child.pid);
    answer(n);
  },
  extra: (n, answer) => answer(n),
};

function call({ id, params }) {
  if (chance(0.01)) process.exit(4);
  if (chance(0.005)) process.kill(process.pid, 'SIGKILL');
  const kind = params.name.split('_')[0];
  if (kind === 'extra' && !hasExtra) {
    send({ id, error: { code: -32602, message: `no tool ${params.name}` } });
    return;
  }
  actions[kind](params.arguments.n, (n) => send({ id, result: text(`${kind} ${name} ${n}`) }));
}

function answer(message) {
  const { id, method, params } = message;
  if (method === 'tools/call') call(message);
  else if (method === 'tools/list') {
    if (chance(0.05)) send({ id, error: { code: -32603, message: 'still loading' } });
    else
      send({ id, result: { tools: [...[...KINDS, ...(hasExtra ? ['extra'] : [])].map(tool), ...further] } });
  } else if (method === 'initialize') {
    const { protocolVersion } = params;
    const capabilities = { tools: { listChanged: true } };
    if (chance(0.01)) return; // never says hello
    const hello = () =>
      send({ id, result: { protocolVersion, capabilities, serverInfo: { name, version: '1.0.0' } } });
    setTimeout(hello, chance(0.1) ? 1500 : 0);
  } else if (method === 'ping') send({ id, result: {} });
}

if (chance(0.05)) {
  process.stderr.write('cannot open the database\n');
  process.exit(5);
}
process.stdout.on('error', () => process.exit(0));
process.stderr.on('error', () => {});
// One in ten is stubborn: it goes neither with its stdin nor on SIGTERM.
const isStubborn = chance(0.1);
if (isStubborn) {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1e6);
} else process.stdin.on('end', () => process.exit(0));
readLines(process.stdin, (line) => {
  const message = JSON.parse(line);
  if (message.id !== undefined) answer(message);
});

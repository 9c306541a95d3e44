import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { untilAllListed } from './catalog-session.ts';
import type { Environment } from './environment.ts';
import { LineClient } from './line-client.ts';
import type { Finding, Section } from './section.ts';

const COPIES = 5;
/** Tools of the three servers, as they answer a client that declares nothing. */
const QUERIES = ['add two numbers', 'read a file', 'remember an observation'];

export const setup: Section = {
  name: 'setup',
  title: `A session on ${COPIES * 3} real servers: every server wired to the agent, and toolsift with a warm catalog`,
  measure,
};

async function* measure(environment: Environment): AsyncGenerator<Finding> {
  if (process.platform !== 'linux') {
    yield 'setup skipped: memory of a tree of processes is read from /proc';
    return;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'toolsift-setup-'));
  try {
    const servers = realServers(folder);
    const direct = await directSetup(servers);
    yield figure('direct: all servers up and listed', direct.ms, 'ms', `${servers.length} processes`);
    yield figure('direct: memory of all servers', direct.bytes / 1e6, 'MB');

    const entries = servers.map(([name, args]) => [name, { command: process.execPath, args }] as const);
    const command = environment.toolsift('setup', { servers: Object.fromEntries(entries) });
    const first = new LineClient(command);
    await first.initialize();
    await untilAllListed(first, direct.tools);
    await first.close();

    const client = new LineClient(command);
    await client.initialize();
    await client.request('tools/list', {});
    for (const query of QUERIES) await client.callTool('search_tools', { query });
    const ms = performance.now() - client.spawnedAt;
    const running = childrenOf(client.pid);
    yield figure(
      'toolsift: initialize, tools/list and three searches',
      ms,
      'ms',
      `${running.length} servers started`,
    );
    yield figure('toolsift: memory', residentBytes(client.pid) / 1e6, 'MB');
    await client.callTool('invoke_tool', { server: 'memory-0', name: 'read_graph', arguments: {} });
    yield figure('toolsift: servers started by one invoke', childrenOf(client.pid).length, 'processes');
    await client.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function realServers(folder: string): [name: string, args: string[]][] {
  const file = (name: string) =>
    path.resolve(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
  return Array.from({ length: COPIES }, (_, copy): [string, string[]][] => [
    [`everything-${copy}`, [file('everything')]],
    [`filesystem-${copy}`, [file('filesystem'), folder]],
    [`memory-${copy}`, [file('memory')]],
  ]).flat();
}

async function directSetup(servers: readonly [string, string[]][]) {
  const start = performance.now();
  const clients = servers.map(([, args]) => new LineClient({ args }));
  try {
    const lists = await Promise.all(
      clients.map(async (client) => {
        await client.initialize();
        return client.request('tools/list', {});
      }),
    );
    const ms = performance.now() - start;
    const bytes = clients.reduce((sum, client) => sum + residentBytes(client.pid), 0);
    const tools = lists.reduce((sum, { chunks }) => sum + toolsIn(Buffer.concat([...chunks]).toString()), 0);
    return { ms, bytes, tools };
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

function toolsIn(line: string): number {
  return (JSON.parse(line) as { result: { tools: unknown[] } }).result.tools.length;
}

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}

function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child !== '');
}

function figure(what: string, value: number, unit: 'ms' | 'MB' | 'processes', detail?: string): Finding {
  return { section: 'setup', what, value, unit, ...(detail === undefined ? {} : { detail }) };
}

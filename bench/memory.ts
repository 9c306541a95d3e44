import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { catalogSession, NO_CATALOG, untilAllListed } from './catalog-session.ts';
import { type Environment, fixturePath } from './environment.ts';
import { GOALS } from './goals.ts';
import { LineClient } from './line-client.ts';
import type { Figure } from './report.ts';
import { invokePayload, type PayloadArguments } from './routes.ts';
import type { Finding, Section } from './section.ts';

const CALLS = 1_000;
const SMALL: PayloadArguments = { kind: 'text', bytes: 200 };

export const memory: Section = {
  name: 'memory',
  title: `Memory: resident set of the one process after ${CALLS.toLocaleString('en-US')} calls, against bare Node`,
  measure,
};

async function* measure(environment: Environment): AsyncGenerator<Finding> {
  if (process.platform === 'win32') {
    yield 'memory skipped: the resident set of another process is not read on Windows';
    return;
  }
  const bare = await residentAfter(environment.fixture('bare-server.mjs'), async () => {});
  yield figure('bare Node, started', bare, bare);
  const payloadServer = environment.fixture('payload-server.mjs');
  const direct = await residentAfter(payloadServer, (client) =>
    repeat(() => client.callTool('payload', SMALL)),
  );
  yield figure(`bare Node server after ${CALLS} calls`, direct, bare);
  const proxy = environment.fixture('sdk-proxy.mjs', process.execPath, fixturePath('payload-server.mjs'));
  const proxied = await residentAfter(proxy, (client) => repeat(() => client.callTool('payload', SMALL)));
  yield figure(`plain SDK proxy after ${CALLS} calls`, proxied, bare);

  const servers = environment.recordedServers();
  if (servers === undefined) {
    yield `toolsift with the catalog indexed ${NO_CATALOG}`;
    return;
  }
  const session = await catalogSession(environment, servers);
  const indexed = await residentAfter(session.command, async (client) => {
    await untilAllListed(client, session.knownTools);
    await client.callTool('search_tools', { query: 'create an issue in a repository' });
    await repeat(() => invokePayload(client, SMALL));
  });
  const from = session.isCached ? 'from cache' : 'all servers running';
  yield {
    ...figure(`toolsift, ${session.knownTools} tools (${from}), after ${CALLS} calls`, indexed, bare),
    goal: GOALS.memory,
  };
}

function figure(what: string, bytes: number, floor: number): Figure {
  const detail = `${(bytes / 1e6).toFixed(1)} MB`;
  return { section: 'memory', what, value: bytes / floor, unit: 'x', detail };
}

async function residentAfter(
  command: ConstructorParameters<typeof LineClient>[0],
  work: (client: LineClient) => Promise<void>,
): Promise<number> {
  const client = new LineClient(command);
  try {
    await client.initialize();
    await work(client);
    return residentBytes(client.pid);
  } finally {
    await client.close();
  }
}

async function repeat(call: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < CALLS; count++) await call();
}

function residentBytes(pid: number): number {
  const status = `/proc/${pid}/status`;
  const kilobytes = existsSync(status)
    ? /^VmRSS:\s*(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return Number(kilobytes) * 1024;
}

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are the subject
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at } from '../helpers/message.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { type Entry, userHome } from './user-home.ts';

const PLANTED = {
  env: 'PLANTEDenvironment9x',
  pem: '-----BEGIN KEY-----\nPLANTEDinlinesAbCdEfGh9x\n-----END KEY-----',
  flag: 'PLANTEDbehindflag9x',
  carried: 'PLANTEDcarriedbyflag9x',
  position: 'PLANTEDposition9x',
  variable: 'PLANTEDvariable9x',
  header: 'PLANTEDheader9x',
  password: 'PLANTEDpassword9x',
  query: 'PLANTEDquery9x',
  path: 'PLANTEDpath9x',
} as const;
const ARGS = [
  '--api-key',
  PLANTED.flag,
  `--token=${PLANTED.carried}`,
  PLANTED.position,
  '${PLANTED_VARIABLE}',
];
const ENV = { PLANTED_ENV: PLANTED.env, PLANTED_PEM: PLANTED.pem };

function tells(mode: string, more: Partial<Entry> = {}): Entry {
  return { ...fixture('tells-secrets', [mode, ...ARGS]), env: ENV, ...more };
}

/** Answers with what it was sent, as error pages do. */
async function echoing(status: number): Promise<number> {
  const server: Server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'text/plain' });
    response.end(`${request.url} ${JSON.stringify(request.headers)}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

async function remote(status: number) {
  const port = await echoing(status);
  return {
    url: `http://someone:${PLANTED.password}@127.0.0.1:${port}/s/${PLANTED.path}/mcp?key=${PLANTED.query}`,
    headers: { 'X-Key': PLANTED.header },
  };
}

/** What of the planted secrets a text shows, in any spelling worth a name. */
function shownIn(text: string): string[] {
  const folded = text.replace(/\s+/g, '');
  return Object.entries(PLANTED).flatMap(([place, secret]) => {
    const core = secret.replace(/-----[^-]+-----/g, '').trim();
    const spellings = [
      core,
      Buffer.from(core).toString('hex'),
      ...[0, 1, 2].map((before) =>
        Buffer.from(`${'x'.repeat(before)}${core}`)
          .toString('base64')
          .slice(before === 0 ? 0 : 4, -6),
      ),
    ];
    return spellings.some((spelling) => folded.includes(spelling)) ? [place] : [];
  });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}

describe('secrets planted wherever an entry can hold one', () => {
  it('are found in no answer, log line, cache file or log file', async () => {
    const home = userHome();
    home.env.PLANTED_VARIABLE = PLANTED.variable;
    home.env.TOOLSIFT_LOG = 'debug';
    const servers = {
      dies: tells('dies'),
      refuses: tells('refuses'),
      prints: tells('prints'),
      logs: tells('logs', { log: true }),
      missing: { ...tells('dies'), command: 'no-such-program' },
      refused: await remote(401),
      broken: await remote(500),
      lost: await remote(404),
    };
    home.write({ ...servers, lists: tells('lists') });
    const session = await home.session({ awaits: ['logs', 'prints'] });
    await waitFor('every failure is known', async () => {
      const answer = await session.call('list_servers', {});
      return !JSON.stringify(answer).includes('has not answered');
    });
    const said: [string, string][] = [];
    said.push(['list_servers', JSON.stringify(await session.call('list_servers', {}))]);
    said.push(['search_tools', JSON.stringify(await session.call('search_tools', { query: 'look' }))]);
    for (const name of ['dies', 'refuses', 'lists', 'missing', 'refused', 'broken', 'lost', 'logs']) {
      const answer = await session.invoke(name, 'look');
      expect(at(answer.result, 'isError'), name).toBe(true);
      said.push([`invoke of ${name}`, JSON.stringify(answer)]);
    }
    await session.client.close();
    said.push(['stderr', session.client.stderr]);
    // Commands would wait for every further try of a list that cannot be read.
    home.write(servers);
    for (const args of [['list'], ['list', '--json'], ['refresh'], ['logs', 'logs'], ['search', 'look']]) {
      const { stdout, stderr } = await home.run(...args);
      expect(stdout, args.join(' ')).not.toBe('');
      said.push([`toolsift ${args.join(' ')}`, stdout + stderr]);
    }
    for (const file of filesIn(home.folder)) {
      if (file === home.configFile || file.includes('received') || file.endsWith('.jsonl')) continue;
      said.push([file, readFileSync(file, 'latin1')]);
    }
    expect(said.map(([place]) => place).join()).toMatch(/\.catalog.*\.log/s);
    expect(said.flatMap(([place, text]) => shownIn(text).map((secret) => `${secret} in ${place}`))).toEqual(
      [],
    );
    expect(said.find(([place]) => place === 'list_servers')?.[1]).toContain('***');
  }, 60_000);
});

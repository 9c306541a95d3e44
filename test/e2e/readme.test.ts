// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are the subject
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'jsonc-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { fixture } from '../helpers/fixture.ts';
import { CLI } from '../helpers/toolsift.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const SNIPPETS = [...README.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language = '', text = '']) => ({
  language,
  text,
}));

function snippets(language: string, mark: string): string[] {
  const found = SNIPPETS.filter((snippet) => snippet.language === language && snippet.text.includes(mark));
  expect(found.length, `${language} with ${mark}`).toBeGreaterThan(0);
  return found.map(({ text }) => text);
}

/** Commands of a snippet, without what is said about them. */
function commandsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '');
}

let home: string;
let env: NodeJS.ProcessEnv;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'toolsift-readme-'));
  mkdirSync(join(home, 'bin'));
  mkdirSync(join(home, 'work'));
  const { command, args = [] } = fixture('echo');
  program('toolsift', `exec '${process.execPath}' '${CLI}' "$@"`);
  // The clients and runners that the snippets use, as far as their part in them goes.
  program('uvx', `exec '${command}' ${args.map((arg) => `'${arg}'`).join(' ')}`);
  program('claude', `for word in "$@"; do printf '%s\\n' "$word"; done`);
  const xdg = ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'TOOLSIFT_CONFIG'];
  env = {
    ...process.env,
    ...Object.fromEntries(xdg.map((name) => [name, undefined])),
    HOME: home,
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
  };
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function program(name: string, script: string): void {
  const file = join(home, 'bin', name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

function sh(command: string, input = '') {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: join(home, 'work'),
    env,
    input,
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { status, stdout, stderr };
}

/** Whether a command serves what add-server has written, as an agent would start it. */
function expectServes(command: string): void {
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    },
    { id: 2, method: 'tools/call', params: { name: 'list_servers', arguments: {} } },
  ];
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  const { stdout } = sh(command, input);
  expect(stdout).toContain('"serverInfo":{"name":"toolsift"');
  expect(stdout).toMatch(/\\"name\\":\\"time\\"/);
}

describe.runIf(process.platform !== 'win32')('the README', () => {
  it('has commands of a quick start that work in a fresh home, one after the other', () => {
    const [text = ''] = snippets('sh', 'toolsift add-server');
    const results = commandsOf(text).map((command) => ({ command, ...sh(command) }));
    expect(results.map(({ command, status, stderr }) => [command, status, stderr])).toEqual(
      results.map(({ command }) => [command, 0, '']),
    );
    const [added, listed, searched] = results.map(({ stdout }) => stdout);
    expect(added).toMatch(/^Added "time" to (.*): 4 tools\.\nAgents are told to run: toolsift mcp\n$/);
    expect(listed).toMatch(/^time +\w+ +4$/m);
    expect(searched).toContain('matching tools shown, 4 known');
    // Nothing else names the file, so the entries must find it.
    if (process.platform === 'linux')
      expect(existsSync(join(home, '.config/toolsift/toolsift.json'))).toBe(true);
  });

  it('has an entry for Claude Code that counts everywhere and serves that file', () => {
    const [text = ''] = snippets('sh', 'claude mcp add');
    const words = sh(text).stdout.trimEnd().split('\n');
    expect(words.slice(0, words.indexOf('--'))).toEqual(['mcp', 'add', '--scope', 'user', 'toolsift']);
    expectServes(words.slice(words.indexOf('--') + 1).join(' '));
  });

  it.each(['mcpServers', '"type": "stdio"'])('has entries in JSON that serve that file: %s', (mark) => {
    for (const text of snippets('json', mark)) {
      const { mcpServers, servers } = JSON.parse(text);
      const { command, args } = (mcpServers ?? servers).toolsift;
      expectServes([command, ...args].join(' '));
    }
  });

  it('has an entry for Codex that serves that file and cannot end the agent', () => {
    const [text = ''] = snippets('toml', 'mcp_servers.toolsift');
    const [table, ...lines] = commandsOf(text);
    expect(table).toBe('[mcp_servers.toolsift]');
    const entry = Object.fromEntries(
      lines.map((line) => {
        const [, key = '', value = ''] = /^(\w+) = (.*)$/.exec(line) ?? [];
        return [key, JSON.parse(value)];
      }),
    );
    expect(entry).not.toHaveProperty('required');
    expectServes([entry.command, ...entry.args].join(' '));
  });

  it('has an example of toolsift.json without a fault, whose variables the entries hand on', async () => {
    const [text = ''] = snippets('jsonc', '"servers"');
    const folder = mkdtempSync(join(home, 'example-'));
    const file = join(folder, 'toolsift.json');
    writeFileSync(file, text);
    const variables = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
    expect(variables.length).toBeGreaterThan(0);
    const config = await loadConfig({
      flag: file,
      env: Object.fromEntries(variables.map((name) => [name, 'set'])),
      cwd: folder,
    });
    expect([...config.servers.values()].map(({ kind }) => kind)).toEqual(['stdio', 'http']);
    expect(config.warnings).toEqual([]);
    const [codex = ''] = snippets('toml', 'env_vars');
    const gemini = snippets('json', '"env"').map((entry) => parse(entry).mcpServers.toolsift.env)[0];
    for (const name of variables) {
      expect(codex).toContain(`"${name}"`);
      expect(gemini).toHaveProperty(name, `$${name}`);
    }
  });

  it('has scripts for development that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const named = snippets('sh', 'npm ').flatMap((text) => [
      ...text.matchAll(/npm (?:run ([\w:]+)|(test))/g),
    ]);
    for (const [, script, test] of named) expect(scripts).toHaveProperty([script ?? test ?? '']);
    expect(named.length).toBeGreaterThan(2);
  });
});

describe('the packages that are installed for development', () => {
  it('all accept the oldest Node.js that toolsift does, so that npm prints no warning', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { engines?: { node?: string } }>;
    };
    const refusing = Object.entries(packages).filter(
      ([, { engines }]) => engines?.node !== undefined && !engines.node.split('||').some(acceptsNode20),
    );
    expect(refusing.map(([name, { engines }]) => `${name} needs ${engines?.node}`)).toEqual([]);
  });
});

/** Reads the ranges that packages write: `>=18`, `^20.19.0`, `>= 20.12.0 <25`, `20 || >=22`. */
function acceptsNode20(range: string): boolean {
  const parts = [...range.matchAll(/(>=|<=|<|>|\^|~)?\s*v?(\d+)(?:\.(\d+|x))?(?:\.[\dx]+)?/g)];
  return parts.every(([, sign = '=', major = '0', minor = '0']) => {
    const [asked, have] = [Number(major) * 1000 + (Number(minor) || 0), 20_019];
    if (sign === '>=' || sign === '>') return have >= asked;
    if (sign === '<' || sign === '<=') return have < asked;
    return Number(major) === 20 && have >= asked;
  });
}

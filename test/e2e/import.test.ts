// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are the subject
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { userHome } from './user-home.ts';

/** A home in which agents have files, and no `toolsift.json` yet. */
function homeOf(files: Readonly<Record<string, string | object>>) {
  const home = userHome();
  rmSync(home.configFile);
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(home.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  const servers = () => JSON.parse(readFileSync(home.configFile, 'utf8')).servers;
  return { home, servers };
}

const echo = fixture('echo');

describe('toolsift import', () => {
  test('takes the servers of all agents over, each as its agent means it, and they run', async () => {
    const { home, servers } = homeOf({
      '.claude.json': {
        theme: 'dark',
        mcpServers: { echo, docs: { type: 'http', url: 'https://${HOST}/$X' } },
      },
      '.cursor/mcp.json': { mcpServers: { region: { command: 'x', args: ['${env:REGION}', '${REGION}'] } } },
      'config/goose/config.yaml': '',
      '.config/goose/config.yaml':
        'extensions:\n  notes: # mine\n    {type: stdio, cmd: uvx, args: [notes], enabled: false, timeout: 5}\n  developer: {type: builtin}\n',
      '.gemini/settings.json': { mcpServers: { echo, slow: { httpUrl: 'https://x', timeout: 30_000 } } },
    });
    const { code, stdout } = await home.run('import');
    expect(code).toBe(0);
    expect(servers()).toEqual({
      echo,
      docs: { type: 'http', url: 'https://${HOST}/$X' },
      region: { command: 'x', args: ['${REGION}', '${LITERAL:-$}{REGION}'] },
      notes: { type: 'stdio', command: 'uvx', args: ['notes'], disabled: true, timeoutSeconds: 5 },
      slow: { url: 'https://x', type: 'http', timeoutSeconds: 30 },
    });
    expect(stdout).toContain('  echo, of Gemini CLI: it is the same as that of Claude Code');
    expect(stdout).toContain('  developer, of Goose: built into Goose');
    expect((await home.run('list')).stdout).toMatch(/^echo +(?:ready|idle) +[1-9]/m);
  });

  test('is the same the second time, and leaves what is there as it is', async () => {
    const { home, servers } = homeOf({
      '.cursor/mcp.json': { mcpServers: { a: { command: 'x' }, b: { command: 'y' } } },
    });
    home.writeText('{\n  // mine\n  "servers": {\n    "a": { "command": "other" }\n  }\n}\n');
    await home.run('import', 'cursor');
    const text = readFileSync(home.configFile, 'utf8');
    expect(text).toContain('// mine\n  "servers": {\n    "a": { "command": "other" },');
    const { stdout } = await home.run('import', 'cursor');
    expect(readFileSync(home.configFile, 'utf8')).toBe(text);
    expect(stdout).toContain('a, of Cursor: an entry of this name is there, and says something else');
    expect(stdout).toContain('b, of Cursor: it is there already');
    expect(() => servers()).toThrow('JSON');
  });

  test('says with --dry-run what it would do, and does nothing', async () => {
    const { home } = homeOf({
      '.cursor/mcp.json': { mcpServers: { a: { command: 'x', autoApprove: ['y'], timeout: 5 } } },
    });
    const { stdout } = await home.run('import', '--dry-run');
    expect(stdout).toMatch(
      /^Would be taken over into .*toolsift\.json:\n {2}a, from Cursor\n {4}"timeout" is ignored/,
    );
    expect(() => readFileSync(home.configFile)).toThrow('ENOENT');
  });

  test('never takes toolsift itself, nor without being told a secret that stands there as text', async () => {
    const { home, servers } = homeOf({
      '.cursor/mcp.json': {
        mcpServers: {
          ours: { command: 'npx', args: ['-y', 'toolsift@latest', 'mcp'] },
          github: { command: 'x', env: { GITHUB_TOKEN: 'hunter2', LEVEL: 'info' } },
          named: { url: 'https://x', headers: { Authorization: 'Bearer ${env:TOKEN}' } },
        },
      },
    });
    const first = await home.run('import', '--json');
    expect(Object.keys(servers())).toEqual(['named']);
    expect(JSON.parse(first.stdout)).toMatchObject({
      taken: [{ name: 'named', agent: 'Cursor' }],
      left: [
        { name: 'ours', reason: 'it is toolsift itself' },
        { name: 'github', reason: expect.stringContaining('env.GITHUB_TOKEN') },
      ],
    });
    expect(first.stdout + first.stderr).not.toContain('hunter2');
    const second = await home.run('import', '--copy-secrets');
    expect(servers().github.env.GITHUB_TOKEN).toBe('hunter2');
    expect(second.stdout + second.stderr).not.toContain('hunter2');
  });

  test('tells what cannot be read, and takes the rest', async () => {
    const { home, servers } = homeOf({
      '.claude.json': '{ "mcpServers": { "a" }',
      '.gemini/settings.json': '{ "mcpServers": { "b": { "command": "x" }, } }',
    });
    const { code, stdout } = await home.run('import');
    expect(code).toBe(0);
    expect(Object.keys(servers())).toEqual(['b']);
    expect(stdout).toMatch(/\.claude\.json is not valid JSON: line 1, column/);
    expect(stdout).toContain('line 1: Gemini CLI takes no comma before a closing bracket');
  });

  test('knows the agents by name', async () => {
    const { home } = homeOf({});
    const { code, stderr } = await home.run('import', 'claude');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('no agent is called "claude"; known are claude-code'),
    ]);
    expect((await home.run('import')).stdout).toBe('No servers of agents were found.');
  });
});

import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ServerEntry } from '../helpers/fixture.ts';
import { expectNoProcessesLeft } from '../helpers/processes.ts';
import { CLI } from '../helpers/toolsift.ts';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder that is home and working directory of the command line, and what its `toolsift.json` says. */
export function cliIn(config?: { servers: Record<string, ServerEntry>; [key: string]: unknown }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolsift-cli-')));
  const pidsFile = join(folder, 'pids');
  if (config !== undefined) writeFileSync(join(folder, 'toolsift.json'), JSON.stringify(config));
  onTestFinished(async () => {
    await expectNoProcessesLeft(pidsFile);
    rmSync(folder, { recursive: true, force: true });
  });
  const folders = ['HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME'];
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...Object.fromEntries([...folders, 'XDG_DATA_HOME', 'XDG_STATE_HOME'].map((name) => [name, folder])),
    TOOLSIFT_TEST_PIDS: pidsFile,
    // Nobody has looked at the file, so a command must be told of it.
    TOOLSIFT_CONFIG: config === undefined ? undefined : join(folder, 'toolsift.json'),
  };
  const run = (...args: string[]) => runCli(args, { cwd: folder, env });
  return { folder, pidsFile, run };
}

function runCli(
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

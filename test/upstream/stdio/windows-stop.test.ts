import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { killGroup, stopProcess } from '../../../src/upstream/stdio/stop-process.ts';

const TIMES = { afterStdinMs: 60, afterTermMs: 60, afterKillMs: 2000 };

/** Until the test ends: the platform of Windows, and a `taskkill` that writes down what it is asked to do. */
function onWindows(taskkill: string): () => string[] {
  const folder = mkdtempSync(join(tmpdir(), 'toolsift-taskkill-'));
  const calls = join(folder, 'calls');
  const { platform, env } = process;
  const path = env.PATH;
  writeFileSync(calls, '');
  writeFileSync(join(folder, 'taskkill'), `#!/bin/sh\necho "$@" >> '${calls}'\n${taskkill}\n`, {
    mode: 0o755,
  });
  env.PATH = `${folder}${delimiter}${path}`;
  Object.defineProperty(process, 'platform', { value: 'win32' });
  onTestFinished(() => {
    Object.defineProperty(process, 'platform', { value: platform });
    env.PATH = path;
    rmSync(folder, { recursive: true, force: true });
  });
  return () => readFileSync(calls, 'utf8').split('\n').filter(Boolean);
}

/** A process that stays when its stdin ends, in no group of its own, as on Windows. */
async function start() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6); console.log(1)'], {
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  await once(child.stdout, 'data');
  return { pid: child.pid ?? Number.NaN, stdin: child.stdin, exit };
}

describe('stopping a process on Windows', () => {
  it('asks its whole tree to end, then ends it by force', async () => {
    const { pid, stdin, exit } = await start();
    const calls = onWindows('case "$4" in /F) kill -9 "$2" ;; esac');
    await stopProcess({ pid, stdin }, TIMES);
    expect(calls()).toEqual([`/PID ${pid} /T`, `/PID ${pid} /T /F`]);
    expect(await exit).toEqual([null, 'SIGKILL']);
  });

  it('uses no force where asking is enough', async () => {
    const { pid, stdin, exit } = await start();
    const calls = onWindows('kill "$2"');
    await stopProcess({ pid, stdin }, { ...TIMES, afterTermMs: 5000 });
    expect(calls()).toEqual([`/PID ${pid} /T`]);
    expect(await exit).toEqual([null, 'SIGTERM']);
  });

  it('is over in time where nothing helps', async () => {
    const { pid, stdin } = await start();
    onWindows('exit 1');
    await stopProcess({ pid, stdin }, { ...TIMES, afterKillMs: 100 });
  });

  it('ends its whole tree at once when there is no time to ask', async () => {
    const { pid, exit } = await start();
    const calls = onWindows('kill -9 "$2"');
    killGroup(pid);
    expect(calls()).toEqual([`/PID ${pid} /T /F`]);
    expect(await exit).toEqual([null, 'SIGKILL']);
    onWindows('exit 128');
    expect(() => killGroup(pid)).not.toThrow();
  });
});

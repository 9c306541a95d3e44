import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { killGroup, STOP_TIMES, stopProcess } from '../../../src/upstream/stdio/stop-process.ts';
import { isAlive } from '../../helpers/processes.ts';

const TIMES = { afterStdinMs: 150, afterTermMs: 150, afterKillMs: 2000 };
const STAYS = 'setInterval(() => {}, 1e6);';
const ENDS_WITH_STDIN = 'process.stdin.resume().on("end", () => process.exit(0));';
const IGNORES_TERM = 'process.on("SIGTERM", () => console.log("term"));';

interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  readonly said: () => string;
  readonly exit: Promise<unknown[]>;
}

/** Runs a script as leader of a group, once it has said that it is ready. */
async function start(script: string): Promise<Started> {
  const child = spawn(process.execPath, ['-e', `${script} console.log('ready');`], { detached: true });
  const pid = child.pid ?? Number.NaN;
  onTestFinished(() => killGroup(pid));
  let said = '';
  const exit = once(child, 'exit');
  child.stdin.on('error', () => {});
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
      if (said.includes('ready')) resolve();
    });
  });
  return { child, pid, said: () => said, exit };
}

async function stop({ pid, child }: Started, times = TIMES): Promise<number> {
  const begin = performance.now();
  await stopProcess({ pid, stdin: child.stdin }, times);
  return performance.now() - begin;
}

describe('stopProcess', () => {
  it('only closes stdin of a process that leaves then', async () => {
    const started = await start(`${ENDS_WITH_STDIN} ${IGNORES_TERM}`);
    await stop(started, { ...TIMES, afterStdinMs: 5000 });
    expect(await started.exit).toEqual([0, null]);
    expect(started.said()).not.toContain('term');
  });

  it('sends SIGTERM to one that ignores the end of its stdin', async () => {
    const started = await start(STAYS);
    await stop(started);
    expect(await started.exit).toEqual([null, 'SIGTERM']);
  });

  it('sends SIGKILL to one that ignores SIGTERM too, after it had its chance', async () => {
    const started = await start(`${STAYS} ${IGNORES_TERM}`);
    const took = await stop(started);
    expect(await started.exit).toEqual([null, 'SIGKILL']);
    expect(started.said()).toContain('term');
    expect(took).toBeGreaterThanOrEqual(TIMES.afterStdinMs + TIMES.afterTermMs);
  });

  it('ends what the process started, also when the process itself has left', async () => {
    const grandchild = `${STAYS} ${IGNORES_TERM} console.log(process.pid)`;
    const script = `const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}],
      { stdio: ['ignore', 'pipe', 'ignore'] });
      child.stdout.once('data', (pid) => { console.log('pid ' + pid); console.log('ready'); });
      process.stdin.resume().on('end', () => process.exit(0)); if (false)`;
    const started = await start(script);
    const pid = Number(/pid (\d+)/.exec(started.said())?.[1]);
    expect(isAlive(pid)).toBe(true);
    await stop(started);
    expect(isAlive(pid)).toBe(false);
    expect(await started.exit).toEqual([0, null]);
  });

  it('returns at once for a process that is gone', async () => {
    const started = await start('process.exitCode = 0;');
    await started.exit;
    expect(
      await stop(started, { afterStdinMs: 60_000, afterTermMs: 60_000, afterKillMs: 60_000 }),
    ).toBeLessThan(30_000);
  });

  it('takes at most a few seconds by default', () => {
    expect(Object.values(STOP_TIMES).reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual(5000);
  });
});

describe('killGroup', () => {
  it('ends a group at once, and says nothing of one that is gone', async () => {
    const started = await start(`${STAYS} ${IGNORES_TERM}`);
    killGroup(started.pid);
    expect(await started.exit).toEqual([null, 'SIGKILL']);
    expect(() => killGroup(started.pid)).not.toThrow();
  });
});

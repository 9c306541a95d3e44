import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MARK_VARIABLE } from '../../../src/upstream/stdio/descendants.ts';
import { killFamily, killGroup, stopProcess } from '../../../src/upstream/stdio/stop-process.ts';
import { isAlive } from '../../helpers/processes.ts';
import { waitFor } from '../../helpers/wait-for.ts';

const TIMES = { afterStdinMs: 150, afterTermMs: 150, afterKillMs: 2000 };
/** Starts a child in a session of its own that holds on to nothing, and says its number. */
const STARTS_DAEMON = `const start = () => {
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1e6)'],
    { detached: true, stdio: 'ignore' });
  child.unref();
  console.log('pid ' + child.pid);
};`;

interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  readonly mark: string;
  /** Its child, once there is one. */
  readonly daemon: () => Promise<number>;
}

function start(script: string): Started {
  const mark = `mark-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const child = spawn(process.execPath, ['-e', `${STARTS_DAEMON} ${script}`], {
    detached: true,
    env: { ...process.env, [MARK_VARIABLE]: mark },
  });
  const pid = child.pid ?? Number.NaN;
  child.stdin.on('error', () => {});
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const daemon = () => waitFor('a child', () => Number(/pid (\d+)/.exec(said)?.[1]) || undefined);
  onTestFinished(async () => {
    killGroup(pid);
    if (/pid \d+/.test(said)) killGroup(await daemon());
  });
  return { child, pid, mark, daemon };
}

// Elsewhere the environment of another process cannot be read, and only children with a parent are found.
describe.skipIf(process.platform !== 'linux')(
  'what has left the group of a server and lost its parent',
  () => {
    it('is stopped after the server has crashed', async () => {
      const { child, pid, mark, daemon } = start('start(); setTimeout(() => process.exit(7), 50);');
      const exited = once(child, 'exit');
      const stray = await daemon();
      await exited;
      expect(isAlive(stray)).toBe(true);
      await stopProcess({ pid, mark, stdin: child.stdin }, TIMES);
      expect(isAlive(stray)).toBe(false);
    });

    it('is stopped when it is started in the middle of the stop', async () => {
      const { child, pid, mark, daemon } = start(
        'process.on("SIGTERM", () => { start(); process.exit(0); }); console.log("up"); setInterval(() => {}, 1e6);',
      );
      await once(child.stdout, 'data');
      await stopProcess({ pid, mark, stdin: child.stdin }, TIMES);
      expect(isAlive(await daemon())).toBe(false);
    });

    it('is killed with the group when there is no time for an orderly stop', async () => {
      const { pid, mark, daemon } = start('start(); setInterval(() => {}, 1e6);');
      const stray = await daemon();
      killFamily({ pid, mark });
      await waitFor('both are gone', () => !isAlive(stray) && !isAlive(pid));
    });
  },
);

describe('the stop of one server', () => {
  it('leaves what another server has started alone', async () => {
    const [one, two] = [start('start();'), start('start(); setInterval(() => {}, 1e6);')];
    const others = await two.daemon();
    await one.daemon();
    await stopProcess({ pid: one.pid, mark: one.mark, stdin: one.child.stdin }, TIMES);
    expect([isAlive(others), isAlive(two.pid)]).toEqual([true, true]);
  });
});

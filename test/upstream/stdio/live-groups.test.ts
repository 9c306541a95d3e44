import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LiveGroups } from '../../../src/upstream/stdio/live-groups.ts';
import { killGroup } from '../../../src/upstream/stdio/stop-process.ts';

function start() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], {
    detached: true,
    stdio: 'ignore',
  });
  const pid = child.pid ?? Number.NaN;
  onTestFinished(() => killGroup(pid));
  return { pid, exit: once(child, 'exit') };
}

const listeners = () => process.listenerCount('exit');

/** Calls the newest exit listener, as the process would at its end. */
function exitNow(): void {
  const listener = process.listeners('exit').at(-1) as (code: number) => void;
  listener(0);
}

describe('LiveGroups', () => {
  it('listens for the end of the process only while there are groups', () => {
    const before = listeners();
    const groups = new LiveGroups();
    expect(listeners()).toBe(before);
    groups.add(1);
    groups.add(2);
    expect(listeners()).toBe(before + 1);
    groups.delete(1);
    groups.delete(1);
    expect(listeners()).toBe(before + 1);
    groups.delete(2);
    groups.delete(3);
    expect(listeners()).toBe(before);
  });

  it('kills every group that is left when the process ends', async () => {
    const groups = new LiveGroups();
    const [one, two] = [start(), start()];
    groups.add(one.pid);
    groups.add(two.pid);
    exitNow();
    expect(await Promise.all([one.exit, two.exit])).toEqual([
      [null, 'SIGKILL'],
      [null, 'SIGKILL'],
    ]);
    groups.delete(one.pid);
    groups.delete(two.pid);
  });
});

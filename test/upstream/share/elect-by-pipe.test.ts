import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { electByPipe } from '../../../src/upstream/share/elect-by-pipe.ts';
import { pipeName, socketPath } from '../../../src/upstream/share/socket-name.ts';

describe('names of pipes', () => {
  it('depend on user and key and give neither away', () => {
    const name = pipeName('abc', 'ann');
    expect(name).toMatch(/^\\\\\.\\pipe\\toolsift-[0-9a-f]{32}$/);
    expect(new Set([name, pipeName('abd', 'ann'), pipeName('abc', 'bob')]).size).toBe(3);
    expect(pipeName('abc', 'ann')).toBe(name);
  });
});

describe('paths of sockets', () => {
  it('fit where the temporary folder of macOS is the place', () => {
    const folder = `/var/folders/zz/${'z'.repeat(30)}/T/toolsift-501`;
    expect(() => socketPath(folder, `.${'a'.repeat(16)}-0moavjvvz-22pr-1`)).not.toThrow();
  });
});

// Abstract sockets of Linux vanish with their process, as named pipes do.
describe.runIf(process.platform === 'linux')('where names vanish with their process', () => {
  it('one of many gets it, and the next when that one has left', async () => {
    const name = `\0toolsift-test-${randomUUID()}`;
    const looking = Array.from({ length: 8 }, async () => {
      const finding = await electByPipe(name, 10_000);
      if (finding.kind === 'self') finding.door.declare('open');
      return finding;
    });
    const findings = await Promise.all(looking);
    const doors = findings.flatMap((finding) => (finding.kind === 'self' ? [finding.door] : []));
    expect(doors).toHaveLength(1);
    doors[0]?.declare('busy');
    const next = electByPipe(name, 10_000);
    await doors[0]?.close();
    const finding = await next;
    expect(finding.kind).toBe('self');
    if (finding.kind === 'self') await finding.door.close();
  });
});

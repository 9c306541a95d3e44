import { Door } from './door.ts';
import { type Finding, undecided } from './finding.ts';
import { knock } from './knock.ts';
import { anyChanged } from './owner-link.ts';

/** Leader election where an IPC name vanishes with its process and only one can have it: named pipes. */
export async function electByPipe(name: string, limitMs: number): Promise<Finding> {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    const link = await knock(name, undefined);
    if (link === undefined) {
      const door = await Door.atPipe(name).catch(unlessTaken);
      if (door === undefined) continue;
      door.declare('busy');
      return { kind: 'self', door };
    }
    while (link.state !== 'open' && link.state !== 'closed' && performance.now() < end)
      await anyChanged([link], end - performance.now());
    if (link.state === 'open') return { kind: 'other', link };
    await link.close();
  }
  throw undecided();
}

function unlessTaken(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EADDRINUSE') throw error;
}

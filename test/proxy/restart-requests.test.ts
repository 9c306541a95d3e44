import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { requestRestart, watchRestartRequests } from '../../src/proxy/restart-requests.ts';
import { waitFor } from '../helpers/wait-for.ts';

const FILE = 'restart-requests';

function folderOfUser(): string {
  const root = mkdtempSync(join(tmpdir(), 'toolsift-restart-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return join(root, 'data');
}

async function watch(folder: string): Promise<string[]> {
  const asked: string[] = [];
  const end = watchRestartRequests(folder, (server) => asked.push(server));
  onTestFinished(end);
  // Watching begins with a look at the file, which those of ours come after.
  for (const _ of [1, 2]) await stat(folder).catch(() => {});
  return asked;
}

describe('requests to restart a server', () => {
  it('reach every process that watches, for as long as it does', async () => {
    const folder = folderOfUser();
    const [one, two] = [await watch(folder), await watch(folder)];
    const gone: string[] = [];
    watchRestartRequests(folder, (server) => gone.push(server))();
    requestRestart(folder, 'git');
    await waitFor('both are told', () => one.length + two.length === 2);
    requestRestart(folder, 'mail');
    requestRestart(folder, 'git');
    await waitFor('both are told again', () => one.length + two.length === 6);
    expect([one.toSorted(), gone]).toEqual([['git', 'git', 'mail'], []]);
    expect(readdirSync(folder)).toEqual([FILE]);
  });

  it('do not reach a process that begins to watch afterwards', async () => {
    const folder = folderOfUser();
    requestRestart(folder, 'git');
    const asked = await watch(folder);
    requestRestart(folder, 'mail');
    await waitFor('it is told', () => asked.length > 0);
    expect(asked).toEqual(['mail']);
  });

  it.each(['', 'no JSON', '{}', 'null', '[1,2]', '[["git"'])(
    'are read as none from a file that says %j, behind which the next request stands',
    async (text) => {
      const folder = folderOfUser();
      requestRestart(folder, 'git');
      const asked = await watch(folder);
      writeFileSync(join(folder, FILE), text);
      requestRestart(folder, 'git');
      await waitFor('it is told', () => asked.length > 0);
      expect(asked).toEqual(['git']);
    },
  );
});

import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { userHome } from './user-home.ts';

function becomePipe(file: string): void {
  rmSync(file);
  execFileSync('mkfifo', [file]);
}

describe.skipIf(process.platform === 'win32')('a named pipe in place of', () => {
  test('the configuration is told at once when toolsift starts', async () => {
    const home = userHome();
    becomePipe(home.configFile);
    const { code, stderr } = await home.run('list');
    expect([code, stderr]).toEqual([2, expect.stringContaining('toolsift.json: it is no regular file')]);
    expect(await home.run('add-server', 'a', '--no-verify', '--', 'x')).toMatchObject({ code: 2 });
  });

  test('the configuration of a running session changes nothing', async () => {
    const home = userHome({ echo: fixture('echo') });
    const session = await home.session({ awaits: ['echo'] });
    becomePipe(home.configFile);
    await waitFor('it is told', () => session.client.stderr.includes('it is no regular file'));
    expect(await session.invoke('echo', 'echo', { a: 1 })).toHaveProperty('result');
  });

  test('any file toolsift keeps costs no session', async () => {
    const home = userHome({ echo: { ...fixture('echo'), log: true } });
    await home.warmUp('echo');
    await home.run('restart', 'echo');
    const kept = readdirSync(home.folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /^(?:cache|data|state|run)\b/.test(file))
      .map((file) => join(home.folder, file))
      .filter((file) => statSync(file).isFile());
    expect(kept.length).toBeGreaterThan(3);
    for (const file of kept) becomePipe(file);
    const session = await home.session({ awaits: ['echo'] });
    expect(await session.invoke('echo', 'echo', { a: 1 })).toHaveProperty('result');
    expect(await home.run('restart', 'echo')).toMatchObject({ code: 0 });
  });
});

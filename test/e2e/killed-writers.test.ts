import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { userHome } from './user-home.ts';

const KILLS = 10;

test('after any kill the next writer finds the old or the new file and does not wait', {
  timeout: 60_000,
}, async () => {
  const home = userHome();
  const names = () => Object.keys(JSON.parse(readFileSync(home.configFile, 'utf8')).servers);
  const begun = performance.now();
  await home.run('add-server', 'first', '--no-verify', '--', 'x');
  const wholeMs = performance.now() - begun;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const writer = home.command(['add-server', `killed-${kill}`, '--no-verify', '--', 'x']);
    // From before it has looked at the file to after it is done, closer together towards the end.
    await sleep(wholeMs * Math.sqrt((kill + 1) / KILLS));
    writer.kill('SIGKILL');
    await writer.exited;
    expect(names()).toContain('first');
    expect(await home.run('add-server', `next-${kill}`, '--no-verify', '--', 'x')).toMatchObject({ code: 0 });
    expect(names()).toContain(`next-${kill}`);
  }
  expect(readdirSync(home.folder)).not.toContain('toolsift.json.lock');
});

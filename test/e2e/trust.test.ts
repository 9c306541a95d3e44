import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, jsonOf } from '../helpers/message.ts';
import { recordedPids } from '../helpers/processes.ts';
import { RawClient } from '../helpers/raw-client.ts';
import { CLI } from '../helpers/toolsift.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { userHome } from './user-home.ts';

/** A folder with a `toolsift.json` that came with it, as a cloned repository has. */
function clonedFolder() {
  const home = userHome();
  const folder = join(home.folder, 'cloned');
  mkdirSync(folder);
  const file = join(folder, 'toolsift.json');
  const write = (...servers: string[]) =>
    writeFileSync(
      file,
      JSON.stringify({ servers: Object.fromEntries(servers.map((name) => [name, fixture('echo')])) }),
    );
  write('echo');
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...home.env,
    TOOLSIFT_TEST_PIDS: home.pidsFile,
    TOOLSIFT_CONFIG: undefined,
  };
  const start = (...args: string[]) => {
    const client = new RawClient(process.execPath, [CLI, ...args], { cwd: folder, env });
    onTestFinished(() => client.kill('SIGKILL'));
    return client;
  };
  const run = async (...args: string[]) => {
    const client = start(...args);
    client.endInput();
    const { code } = await client.exited;
    return { code, stdout: client.junk.join('\n'), stderr: client.stderr };
  };
  const started = () => recordedPids(home.pidsFile).length;
  return { home, folder, file, write, start, run, started };
}

const invokeEcho = { name: 'invoke_tool', arguments: { server: 'echo', name: 'echo', arguments: {} } };

describe('a toolsift.json that only the working directory leads to', () => {
  test('runs nothing before it is trusted, says so everywhere, and then works in the same session', async () => {
    const { file, start, run, started } = clonedFolder();
    const client = start('mcp');
    const advice = `not trusted as it is now; look at it, then run: toolsift trust ${file}`;
    const initialized = await client.initialize({});
    expect(at(initialized.result, 'instructions')).toMatch(
      `No server runs: ${file} was found by the working`,
    );
    expect(client.stderr).toContain(`uses ${file}, found by the working directory`);
    expect(client.stderr).toContain(advice);
    const listed = jsonOf(await client.ask('tools/call', { name: 'list_servers', arguments: {} }));
    expect(listed).toMatchObject({
      notice: expect.stringContaining(advice),
      configuration: { file, foundBy: 'the working directory' },
      servers: [{ name: 'echo', state: 'failed', reason: expect.stringContaining(advice) }],
    });
    expect(JSON.stringify(await client.ask('tools/call', invokeEcho))).toContain('toolsift trust');
    expect(started()).toBe(0);

    const trusted = await run('trust');
    expect(trusted).toMatchObject({ code: 0, stdout: expect.stringContaining('servers echo') });
    await waitFor('the session runs it', async () => {
      const answer = await client.ask('tools/call', invokeEcho);
      return at(answer.result, 'isError') !== true;
    });
    await client.close();
    expect(await run('list')).toMatchObject({ stdout: expect.stringMatching(/^echo +ready|^echo +idle/m) });
  });

  test('is run by no command before it is trusted', async () => {
    const { run, started } = clonedFolder();
    for (const args of [['list'], ['search', 'echo'], ['invoke', 'echo', 'echo'], ['refresh']]) {
      expect((await run(...args)).stderr + (await run(...args)).stdout).toContain('toolsift trust');
    }
    expect(started()).toBe(0);
  });

  test('that is edited while a session runs changes nothing before it is trusted again', async () => {
    const { write, start, run } = clonedFolder();
    await run('trust');
    const client = start('mcp');
    await client.initialize({});
    write('echo', 'other');
    await waitFor('it is told', () => client.stderr.includes('what was read before stays'));
    const listed = jsonOf(await client.ask('tools/call', { name: 'list_servers', arguments: {} }));
    expect(listed).toMatchObject({
      notice: expect.stringMatching(
        /^An edit of the configuration waits: .* is not trusted .* toolsift trust/,
      ),
      servers: [{ name: 'echo' }],
    });
    expect(client.stderr).not.toContain('No server runs');
    expect(await client.ask('tools/call', invokeEcho)).not.toHaveProperty('result.isError', true);
    await run('trust');
    await waitFor('the edit counts', async () => {
      const now = jsonOf(await client.ask('tools/call', { name: 'list_servers', arguments: {} }));
      return at(now, 'notice') === undefined && JSON.stringify(now).includes('other');
    });
    await client.close();
  });

  test('is trusted when it is named, and stays trusted when toolsift edits it', async () => {
    const { file, run } = clonedFolder();
    expect((await run('list', '--config', file)).stdout).toMatch(/^echo +(?:ready|idle)/m);
    const added = await run('add-server', 'second', '--no-verify', '--', 'x');
    expect(added.stdout).toContain(`It does not run yet: ${file} was found by the working directory alone`);
    expect((await run('list')).stderr, 'nobody has looked at it yet').toContain('toolsift trust');
    await run('trust', file);
    const third = await run('add-server', 'third', '--no-verify', '--', process.execPath, '--version');
    expect(third.stdout).not.toContain('does not run');
    expect((await run('list')).stderr).not.toContain('toolsift trust');
  });
});

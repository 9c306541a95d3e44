import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { authorizationServer, guardedServer } from '../fixtures/oauth/guarded-server.ts';
import { fixture } from '../helpers/fixture.ts';
import { at, type Json } from '../helpers/message.ts';
import { CLI } from '../helpers/toolsift.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { type UserHome, userHome } from './user-home.ts';

const ADDRESS = /(http:\/\/127\.0\.0\.1:\d+\/auth\?\S+)\n/;

/** Runs `toolsift login`; resolves with the address it prints. */
async function beginLogin(home: UserHome, ...args: string[]) {
  const env = { ...process.env, ...home.env, TOOLSIFT_CONFIG: home.configFile };
  const command = spawn(process.execPath, [CLI, 'login', ...args], { env });
  onTestFinished(() => void command.kill('SIGKILL'));
  let text = '';
  for (const stream of [command.stdout, command.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const exited = new Promise<number | null>((resolve) => command.on('close', resolve));
  const address = await waitFor('the address', () => ADDRESS.exec(text)?.[1]);
  return { command, address, text: () => text, end: async () => ({ code: await exited, text }) };
}

async function home() {
  const authorization = await authorizationServer();
  const server = await guardedServer(authorization);
  return { authorization, server, home: userHome({ remote: { url: server.url }, local: fixture('echo') }) };
}

describe('a remote server that asks for a login', () => {
  it('says which command to run, is picked up by sessions that run, and keeps its tokens to itself', {
    timeout: 60_000,
  }, async () => {
    const { authorization, server, home: user } = await home();
    const session = await user.session();
    const remote = () => session.server('remote');
    await waitFor('the state', async () => at((await remote()) as Json, 'state') === 'needs_login');
    expect(JSON.stringify(await remote())).toContain('run: toolsift login remote');

    const asked = server.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(server.requests).toHaveLength(asked);

    const { address, end } = await beginLogin(user, 'remote', '--no-browser');
    await fetch(await authorization.agree(address));
    expect(await end()).toMatchObject({ code: 0, text: expect.stringContaining('Logged in to "remote"') });

    await session.listed('remote');
    expect((await session.invoke('remote', 'do', { n: 1 })).line).toContain('did 1');
    const later = await user.session();
    expect((await later.invoke('remote', 'do', { n: 2 })).line).toContain('did 2');

    const files = [...user.everything()];
    const [name = '', login = ''] = files.find(([file]) => file.includes('logins')) ?? [];
    const { tokens } = JSON.parse(login) as { tokens: Record<string, string> };
    for (const secret of [tokens.access_token, tokens.refresh_token]) {
      const holders = files.filter(([, text]) => text.includes(secret ?? 'none')).map(([file]) => file);
      expect(holders).toEqual([name]);
      for (const { client } of [session, later]) expect(client.stderr).not.toContain(secret);
    }

    const { stdout } = await user.run('logout', 'remote');
    expect(stdout).toContain('Logged out of "remote"');
    expect((await session.invoke('remote', 'do', { n: 3 })).line).toContain('toolsift login remote');
    expect((await user.run('logout', 'remote')).stdout).toContain('There was no login');
  });

  it('is logged in to by pasting, where the browser runs elsewhere', async () => {
    const { authorization, home: user } = await home();
    const { command, address, text, end } = await beginLogin(user, 'remote', '--no-browser');
    command.stdin.write('what?\n');
    await waitFor('the hint', () => text().includes('not the address'));
    command.stdin.write(`${await authorization.agree(address)}\n`);
    expect(await end()).toMatchObject({ code: 0 });
  });

  it.runIf(process.platform === 'linux')('opens the browser by itself unless told not to', async () => {
    const { home: user } = await home();
    const [opener, opened] = [join(user.folder, 'xdg-open'), join(user.folder, 'opened')];
    writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > "${opened}"\n`);
    chmodSync(opener, 0o755);
    user.env.PATH = `${user.folder}${delimiter}${process.env.PATH}`;
    const quiet = await beginLogin(user, 'remote', '--no-browser');
    quiet.command.kill('SIGTERM');
    expect(existsSync(opened)).toBe(false);
    const { command, address } = await beginLogin(user, 'remote');
    await waitFor('the browser', () => existsSync(opened) && readFileSync(opened, 'utf8') === address);
    command.kill('SIGTERM');
  });

  it.each([
    ['local', /only remote servers are logged in to/],
    ['nobody', /no server "nobody"/],
  ])('is not %s', async (name, message) => {
    const { home: user } = await home();
    for (const command of ['login', 'logout']) {
      const { code, stderr } = await user.run(command, name);
      expect(code).toBe(2);
      expect(stderr).toMatch(message);
    }
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ToolsiftError } from '../../../src/errors.ts';
import { SharedLink } from '../../../src/upstream/share/shared-link.ts';
import { newSocketName, socketPrefix } from '../../../src/upstream/share/socket-name.ts';
import { waitFor, within } from '../../helpers/wait-for.ts';
import { call, FakeServer, INITIALIZE_RESULT, param, resultOf, Sharing } from './fake-server.ts';

/** A process that listens on a socket; when it is killed, the file stays. */
async function listener(folder: string, greeting = ''): Promise<{ kill: () => Promise<void>; pid: number }> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const code = `
    const fs = require('node:fs');
    const [folder, time] = process.argv.slice(1);
    const path = folder + '/' + time.replace('PID', process.pid.toString(36));
    require('node:net').createServer((s) => { s.on('error', () => {}); s.write(${JSON.stringify(greeting)}); })
      .listen(path, () => console.log('listening'));`;
  const name = newSocketName(socketPrefix('abc'), Date.now() - 1000, 0).replace(/-0-/, '-PID-');
  const child = spawn(process.execPath, ['-e', code, folder, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { kill, pid: child.pid as number };
}

/** For a link that is expected to say nothing. */
const deaf = { onframe: () => {}, onfault: () => {}, onclose: () => {} };

describe('processes that share a server', () => {
  it('have one of it, and the same answer to initialize', async () => {
    const sharing = new Sharing();
    const one = await sharing.session();
    const two = await sharing.session();
    expect(sharing.servers).toHaveLength(1);
    expect([one, two].map(({ connection }) => connection.initializeResult)).toEqual([
      INITIALIZE_RESULT,
      INITIALIZE_RESULT,
    ]);
    await waitFor('both said initialized', () =>
      sharing.server.methods().includes('notifications/initialized'),
    );
    expect(sharing.server.methods()).toEqual(['initialize', 'notifications/initialized']);
  });

  it('get the answers to their own calls, in whatever order they come', async () => {
    const sharing = new Sharing();
    const [one, two, three] = [await sharing.session(), await sharing.session(), await sharing.session()];
    const names = Array.from({ length: 30 }, (_, number) => `tool-${number}`);
    const answers = names.map((name, number) => call([one, two, three][number % 3] ?? one, name));
    await waitFor('all calls are there', () => sharing.server.open.length === 30);
    for (const request of sharing.server.open.toReversed())
      request.result(JSON.stringify({ name: param(request.frame, 'name'), big: 'n' }).replace('"n"', '1.0'));
    const texts = (await Promise.all(answers)).map(resultOf);
    expect(texts).toEqual(names.map((name) => `{"name":"${name}","big":1.0}`));
  });

  it('do not share with a different key', async () => {
    const sharing = new Sharing();
    await sharing.session('abc');
    await sharing.session('def');
    expect(sharing.servers).toHaveLength(2);
  });

  it('end up with one server when twenty start at once', async () => {
    const sharing = new Sharing();
    const sessions = await Promise.all(Array.from({ length: 20 }, () => sharing.session()));
    expect(sharing.servers).toHaveLength(1);
    expect(readdirSync(sharing.folder)).toHaveLength(1);
    expect(sessions.filter(({ link }) => link.isUsedByOthers)).toHaveLength(1);
  });

  it('keep it among themselves: folder and socket are for the user alone', async () => {
    const sharing = new Sharing();
    mkdirSync(sharing.folder, { mode: 0o755 });
    chmodSync(sharing.folder, 0o755);
    await sharing.session();
    const [socket] = readdirSync(sharing.folder);
    expect(statSync(sharing.folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(sharing.folder, socket ?? '')).mode & 0o777).toBe(0o600);
  });
});

describe('when somebody leaves', () => {
  it('and is a guest, the server stays and hears that its calls are cancelled', async () => {
    const sharing = new Sharing();
    const owner = await sharing.session();
    const guest = await sharing.session();
    const lost = call(guest, 'hold').catch((error: unknown) => error);
    const request = await sharing.server.called('hold');
    await guest.connection.close();
    await waitFor('the call is cancelled', () => !request.isOpen);
    await lost;
    const answer = call(owner, 'next');
    (await sharing.server.called('next')).result('{"still":1}');
    expect(resultOf(await answer)).toBe('{"still":1}');
    await waitFor('the owner is alone', () => !owner.link.isUsedByOthers);
  });

  it('and is the owner, calls of the others fail with the reason, and one of them takes over', async () => {
    const sharing = new Sharing();
    const owner = await sharing.session();
    const guests = [await sharing.session(), await sharing.session()];
    const calls = guests.map((guest) => call(guest, 'hold').catch((error: unknown) => error));
    await waitFor('both calls are there', () => sharing.server.open.length === 2);
    await owner.connection.close();
    for (const error of await within('calls fail', 1000, Promise.all(calls))) {
      expect(error).toBeInstanceOf(ToolsiftError);
      expect(error).toMatchObject({ code: 'upstream_exited' });
      expect(String(error)).toContain(`(pid ${process.pid}) that ran this shared server ended`);
    }
    for (const { closed } of guests) expect((await closed).message).toContain('ran this shared server ended');
    await Promise.all([sharing.session(), sharing.session()]);
    expect(sharing.servers).toHaveLength(2);
  });

  it('nobody starts a second server before the first is stopped', async () => {
    const sharing = new Sharing();
    const owner = await sharing.session();
    let stopped = () => {};
    const { link } = sharing.server;
    const close = link.close.bind(link);
    link.close = async () => {
      await new Promise<void>((resolve) => {
        stopped = resolve;
      });
      await close();
    };
    const closing = owner.connection.close();
    const next = sharing.session();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sharing.servers).toHaveLength(1);
    stopped();
    await Promise.all([closing, next]);
    expect(sharing.servers).toHaveLength(2);
  });
});

describe('when the server', () => {
  it('crashes, every session learns how', async () => {
    const sharing = new Sharing();
    const sessions = [await sharing.session(), await sharing.session()];
    const calls = sessions.map((session) => call(session, 'hold').catch((error: unknown) => error));
    await waitFor('both calls are there', () => sharing.server.open.length === 2);
    const text = 'exited with code 7; last output: panic';
    sharing.server.crash(new ToolsiftError('upstream_exited', text, { facts: { exitCode: 7 } }));
    for (const error of await within('calls fail', 1000, Promise.all(calls)))
      expect(error).toMatchObject({ code: 'upstream_exited', message: text, facts: { exitCode: 7 } });
    for (const { closed } of sessions) expect((await closed).message).toBe(text);
    await sharing.session();
    expect(sharing.servers).toHaveLength(2);
  });

  it('cannot be started, everybody who tries is told, and nothing is left', async () => {
    const sharing = new Sharing();
    const failure = new ToolsiftError('server_config_invalid', 'command "x" was not found');
    const links = Array.from({ length: 3 }, () => sharing.link('abc', () => new FakeServer(failure)));
    const outcomes = await Promise.allSettled(links.map((link) => link.start(deaf)));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: failure });
    expect(readdirSync(sharing.folder)).toEqual([]);
  });

  it('sends a message that is too long, only that call fails', async () => {
    const sharing = new Sharing();
    await sharing.session();
    const guest = await sharing.session();
    const lost = call(guest, 'huge').catch((error: unknown) => error);
    const request = await sharing.server.called('huge');
    const id = String(request.frame.bytes.subarray(request.frame.id?.start, request.frame.id?.end));
    sharing.server.link.fail({ kind: 'oversize', bytes: 10, limit: 5, id, of: 'response' });
    expect(await lost).toMatchObject({ code: 'message_too_large' });
    const answer = call(guest, 'next');
    (await sharing.server.called('next')).result('{}');
    expect(resultOf(await answer)).toBe('{}');
  });
});

describe('what others left behind', () => {
  it('sockets of killed processes are removed', async () => {
    const sharing = new Sharing();
    const killed = await listener(sharing.folder);
    await killed.kill();
    writeFileSync(join(sharing.folder, `.${newSocketName(socketPrefix('abc'), Date.now(), killed.pid)}`), '');
    expect(readdirSync(sharing.folder)).toHaveLength(2);
    await Promise.all([sharing.session(), sharing.session(), sharing.session()]);
    expect(sharing.servers).toHaveLength(1);
    expect(readdirSync(sharing.folder)).toHaveLength(1);
  });

  it('an owner that lives and says nothing is named', async () => {
    const sharing = new Sharing();
    const stuck = await listener(sharing.folder);
    const error = await sharing
      .link()
      .start(deaf)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'upstream_start_failed' });
    expect(String(error)).toContain(`pid ${stuck.pid}`);
    await stuck.kill();
    await sharing.session();
  });

  it('an owner that is killed ends the others at once', async () => {
    const sharing = new Sharing();
    const greeting =
      '{"jsonrpc":"2.0","method":"notifications/toolsift.share/state","params":{"state":"open","pid":42}}\n';
    const owner = await listener(sharing.folder, greeting);
    const link = sharing.link();
    let onclose = (_: Error) => {};
    const closed = new Promise<Error>((resolve) => {
      onclose = resolve;
    });
    await link.start({ ...deaf, onclose: (reason) => onclose(reason) });
    await owner.kill();
    expect(String(await within('the link closes', 1000, closed))).toContain('(pid 42)');
    await waitFor('its socket is removed', () => readdirSync(sharing.folder).length === 0);
    await sharing.session();
  });
});

describe('a folder that cannot be trusted', () => {
  const startIn = async (folder: string): Promise<unknown> => {
    const link = new SharedLink({ key: 'abc', folder, openServer: async () => new FakeServer().link });
    return link.start(deaf).catch((reason: unknown) => reason);
  };

  it.runIf(process.platform !== 'win32')('is refused when it belongs to somebody else', async () => {
    const { parent } = new Sharing();
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(parent, 1, 1);
    const error = await startIn(isRoot ? parent : '/');
    expect(error).toMatchObject({ code: 'server_config_invalid' });
    expect(String(error)).toContain('belongs to another user');
  });

  it('is refused when it is a link to somewhere', async () => {
    const { parent } = new Sharing();
    symlinkSync(tmpdir(), join(parent, 'link'));
    expect(String(await startIn(join(parent, 'link')))).toContain('is not a folder');
  });

  it('is refused when its path leaves no room for a socket', async () => {
    const { parent } = new Sharing();
    expect(String(await startIn(join(parent, 'x'.repeat(90))))).toContain('too long for a socket');
  });
});

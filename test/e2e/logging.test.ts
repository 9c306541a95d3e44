import { expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, textOf } from '../helpers/message.ts';
import { isAlive } from '../helpers/processes.ts';
import { sharedToolsift } from '../helpers/toolsift.ts';
import { waitFor } from '../helpers/wait-for.ts';

const toolsift = sharedToolsift({ servers: { journal: fixture('logging'), echo: fixture('echo') } });

it('log messages come with the name of their server', async () => {
  await toolsift().invoke('journal', 'log', { level: 'error', data: { n: 1 }, logger: 'disk' });
  await toolsift().invoke('journal', 'log', { level: 'warning', data: 'plain' });
  const [named, plain] = await waitFor('both messages', () => {
    const messages = toolsift().client.notifications.filter((one) => one.method === 'notifications/message');
    return messages.length >= 2 && messages;
  });
  expect(named?.params).toMatchObject({ level: 'error', data: { n: 1 } });
  expect(at(named?.params, 'logger')).toMatch(/journal.*disk/);
  expect(plain?.params).toMatchObject({ level: 'warning', data: 'plain' });
  expect(at(plain?.params, 'logger')).toContain('journal');
});

it('the level is told to servers that log, and to no other', async () => {
  expect((await toolsift().client.ask('logging/setLevel', { level: 'error' })).result).toEqual({});
  await waitFor(
    'the server knows',
    async () => textOf(await toolsift().invoke('journal', 'show_level')) === 'error',
  );
  expect(toolsift().received('echo', 'logging/setLevel')).toEqual([]);
});

it('the level is told again to a server that starts anew', async () => {
  await toolsift().client.ask('logging/setLevel', { level: 'critical' });
  await waitFor(
    'the server knows',
    async () => textOf(await toolsift().invoke('journal', 'show_level')) === 'critical',
  );
  const before = toolsift().pids;
  for (const pid of before) process.kill(pid, 'SIGKILL');
  await waitFor('both servers are gone', () => !before.some(isAlive));
  await waitFor('the new server knows', async () => {
    const answer = await toolsift().invoke('journal', 'show_level');
    return textOf(answer) === 'critical';
  });
  expect(toolsift().pids.length).toBeGreaterThan(before.length);
});

import { expect, it } from 'vitest';
import { within } from '../helpers/wait-for.ts';
import { Client } from './client.ts';
import { FakeUpstream } from './fake-upstream.ts';

const hangs = () => undefined;

it('a server that never answers does not keep a resource nobody lists from being found at another', async () => {
  const stuck = new FakeUpstream('stuck', { has: ['resources'], on: { 'resources/read': hangs } });
  const fine = new FakeUpstream('fine', {
    has: ['resources'],
    on: { 'resources/read': () => '{"contents":[]}' },
  });
  const client = new Client(stuck, fine);
  const reading = client.textOf('resources/read', '{"uri":"z:1"}');
  expect(await within('an answer of the server that has it', 2000, reading)).toBe('{"contents":[]}');
});

it('a server that never lists its tasks does not hide those of the others', async () => {
  const stuck = new FakeUpstream('stuck', { has: ['tasks'], on: { 'tasks/list': hangs } });
  const fine = new FakeUpstream('fine', { has: ['tasks'], on: { 'tasks/list': () => '{"tasks":[7]}' } });
  const listing = new Client(stuck, fine).textOf('tasks/list');
  expect(await within('the tasks of the other server', 2000, listing)).toBe('{"tasks":[7]}');
});

import { expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, textOf } from '../helpers/message.ts';
import { sharedToolsift } from '../helpers/toolsift.ts';

const toolsift = sharedToolsift({
  servers: {
    patient: fixture('slow', [], { toolTimeouts: { work: 0.3 } }),
    limited: fixture('slow', [], { timeoutSeconds: 1 }),
    ticking: fixture('progress', [], { timeoutSeconds: 1, maxTimeoutSeconds: 2 }),
  },
});

it('a call over its time limit is cancelled and answered with the limit', async () => {
  const answer = await toolsift().invoke('limited', 'work');
  expect(answer.result).toMatchObject({ isError: true });
  for (const word of ['limited', 'work', /\b1(\.0)? ?s|\b1000 ?ms/]) expect(textOf(answer)).toMatch(word);
  expect(textOf(await toolsift().invoke('limited', 'say'))).toBe('called say');
  const call = toolsift().received('limited', 'tools/call').at(0);
  const cancelled = toolsift().received('limited', 'notifications/cancelled');
  expect(cancelled.map((message) => at(message.params, 'requestId'))).toEqual([call?.id]);
});

it('progress extends the time of a call', async () => {
  const args = { everyMs: 250, ticks: 6 };
  const answer = await toolsift().invoke('ticking', 'tick', args, { meta: { progressToken: 1 } });
  expect(textOf(answer)).toBe('ticked 6');
});

it('progress extends the time of a call up to the hard maximum only', async () => {
  const answer = await toolsift().invoke('ticking', 'tick', { everyMs: 100 }, { meta: { progressToken: 2 } });
  expect(answer.result).toMatchObject({ isError: true });
  expect(textOf(answer)).toMatch(/\b2(\.0)? ?s|\b2000 ?ms/);
  await toolsift().invoke('ticking', 'count', { steps: 0 });
  expect(toolsift().received('ticking', 'notifications/cancelled')).toHaveLength(1);
});

it('a tool can have a time limit of its own', async () => {
  const held = toolsift().invoke('patient', 'hold', { key: 'k' });
  const answer = await toolsift().invoke('patient', 'work');
  expect(answer.result).toMatchObject({ isError: true });
  expect(textOf(answer)).toContain('0.3 s');
  await toolsift().invoke('patient', 'release', { key: 'k' });
  expect(textOf(await held)).toBe('released k');
});

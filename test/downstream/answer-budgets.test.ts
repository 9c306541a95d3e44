import { expect, it } from 'vitest';
import { MAX_ERROR_CHARACTERS, MAX_REASONS_CHARACTERS } from '../../src/downstream/budgets.ts';
import { ToolsiftError } from '../../src/errors.ts';
import { estimateTokens } from '../../src/search/answer/token-estimate.ts';
import { HOSTILE } from '../search/hostile-definitions.ts';
import { Client } from './client.ts';
import { FakeUpstream } from './fake-upstream.ts';

const LONG = `${'a reason without end '.repeat(150_000)}`;
/** What stands around a text in an error's or a server's entry. */
const AROUND = 300;

it('list_servers shows a part of each reason, less of each the more servers there are', async () => {
  for (const count of [1, 10, 200]) {
    const failed = Array.from(
      { length: count },
      (_, i) => new FakeUpstream(`s${i}`, { state: 'failed', reason: LONG }),
    );
    const { text } = await new Client(...failed).call('list_servers', {});
    const { servers } = JSON.parse(text) as { servers: { reason: string }[] };
    expect(servers).toHaveLength(count);
    for (const { reason } of servers) expect(reason).toMatch(/^a reason without end a reason.*…$/);
    expect(text.length).toBeLessThan(MAX_REASONS_CHARACTERS + count * AROUND);
  }
});

it('a search says in short why servers were not searched', async () => {
  const failed = Array.from(
    { length: 50 },
    (_, i) => new FakeUpstream(`s${i}`, { state: 'failed', reason: LONG }),
  );
  const client = new Client(...failed);
  client.put('s0', ['plain_knot']);
  const { text } = await client.call('search_tools', { query: 'plain knot' });
  expect(JSON.parse(text)).toMatchObject({ tools: [{ name: 'plain_knot' }] });
  expect(estimateTokens(text)).toBeLessThanOrEqual(client.settings.maxAnswerTokens);
});

it('a search stays within its budget when every hit is an odd tool', async () => {
  const client = new Client(...[...HOSTILE.keys()].map((_, i) => new FakeUpstream(`s${i}`)));
  [...HOSTILE.values()].forEach((definition, i) => {
    client.put(`s${i}`, [definition]);
  });
  for (const args of [{}, { k: 50 }, { k: 50, detail: 'brief' }, { k: 1 }]) {
    const { text } = await client.call('search_tools', { query: 'odd knot', ...args });
    const lone = args.k === 1 ? 10 : 1;
    expect(estimateTokens(text)).toBeLessThanOrEqual(lone * client.settings.maxAnswerTokens);
  }
});

it('an error of invoke_tool is as long as its budget at most, whatever a server or a caller says', async () => {
  const silent = new FakeUpstream('silent', { state: 'failed' });
  silent.failure = new ToolsiftError('upstream_start_failed', LONG);
  const client = new Client(silent, new FakeUpstream('up'));
  client.put('up', ['a'.repeat(1000), 'b'.repeat(1000), `${'a'.repeat(999)}b`]);
  client.put('silent', ['tool']);
  const errors = [
    await client.call('invoke_tool', { server: 'silent', name: 'tool' }),
    await client.call('invoke_tool', { server: 'up', name: 'a'.repeat(900_000) }),
    await client.call('invoke_tool', { server: 's'.repeat(900_000), name: 'tool' }),
    await client.call('invoke_tool', { server: 'up', name: 'tool', ['x'.repeat(900_000)]: 1 }),
    await client.call('search_tools', { query: 'x', server: 's'.repeat(900_000) }),
  ];
  for (const { isError, text } of errors) {
    expect(isError).toBe(true);
    expect(text.length).toBeLessThanOrEqual(MAX_ERROR_CHARACTERS);
  }
  const unknown = await client.textOf('tools/call', JSON.stringify({ name: 'n'.repeat(900_000) }));
  expect(unknown.length).toBeLessThan(MAX_ERROR_CHARACTERS + AROUND);
});

import { describe, expect, it } from 'vitest';
import { oddListEntries } from '../fixtures/lib/odd-list-entries.mjs';
import { oddities } from '../fixtures/lib/oddity-answers.mjs';
import { sharedDirect } from '../helpers/direct.ts';
import { fixture } from '../helpers/fixture.ts';
import type { Message } from '../helpers/message.ts';
import { elementsOf, memberText, textAt } from '../helpers/raw-json.ts';
import { sharedToolsift } from '../helpers/toolsift.ts';

const names = [...oddities.keys()];
const direct = sharedDirect(fixture('oddities'));
const only = sharedToolsift({
  servers: { oddities: fixture('oddities') },
  args: ['--only', 'oddities'],
  awaits: [],
});
const lists = sharedToolsift({ servers: { odd: fixture('odd-lists') }, pinned: ['odd/odd_tool'] });
const toolsift = sharedToolsift({
  servers: { oddities: fixture('oddities') },
  pinned: names.map((name) => `oddities/${name}`),
});

/** What a client is told: the source text of the result or of the error. */
function outcome(answer: Message): { result?: string; error?: string } {
  const result = memberText(answer.line, 'result');
  if (result !== undefined) return { result };
  const error = memberText(answer.line, 'error');
  return error === undefined ? {} : { error };
}

/** Long texts are compared in full and shown in part. */
function expectSameText(actual: Message, expected: Message): void {
  const [got, wanted] = [outcome(actual), outcome(expected)];
  const differs = JSON.stringify(got) !== JSON.stringify(wanted);
  const brief = (value: unknown) => JSON.stringify(value).slice(0, 500);
  if (differs) expect(brief(got)).toBe(brief(wanted));
  expect(differs, 'texts differ beyond what is shown').toBe(false);
}

describe('every odd answer reaches the client as the text it was', () => {
  it.each(names)('%s', async (name) => {
    const told = await direct().call(name);
    expect(Object.keys(outcome(told)), 'the fixture answers').toHaveLength(1);
    expectSameText(await toolsift().invoke('oddities', name), told);
    expectSameText(await toolsift().call(`oddities__${name}`, {}), told);
    expectSameText(await toolsift().call(name, {}), told);
    expectSameText(await only().call(name, {}), told);
  });
});

/** What a pinned tool says more than its server does. */
function alwaysLoaded(tool: string): string {
  return tool.replace('"_meta":{', '"_meta":{"anthropic/alwaysLoad":true,');
}

describe('every odd entry of a list reaches the client as the text it was', () => {
  it.each([
    ['tools/list', 'tools', alwaysLoaded(oddListEntries.tool)],
    ['resources/list', 'resources', oddListEntries.resource],
    ['resources/templates/list', 'resourceTemplates', oddListEntries.template],
    ['prompts/list', 'prompts', oddListEntries.prompt],
  ])('%s', async (method, key, text) => {
    const { line } = await lists().client.ask(method);
    expect(elementsOf(textAt(line, 'result', key) ?? '[]').at(-1)).toBe(text.trim());
  });
});

import { describe, expect, test } from 'vitest';
import { readToolText } from '../../../src/search/index/tool-text.ts';
import { READ_ONLY, ROLE, readTraits } from '../../../src/search/index/tool-traits.ts';
import { setOf } from '../../../src/search/words/actions.ts';
import { DETAIL } from '../../../src/search/words/details.ts';

function traitsOf(server: string, tool: object) {
  const text = readToolText(tool);
  if (text === undefined) throw new Error('no tool');
  return readTraits(server, text);
}

describe('what a tool does', () => {
  test.each([
    ['linear', 'linear_createIssue', 'create'],
    ['shortcut', 'stories-update', 'update'],
    ['playwright', 'browser_take_screenshot', undefined],
    ['github', 'list_pull_requests', 'list'],
    ['files', 'directory_tree', undefined],
  ] as const)('%s/%s by its name: %s', (server, name, action) => {
    const { nameActions } = traitsOf(server, { name });
    expect(nameActions).toBe(action === undefined ? 0 : setOf(action));
  });

  test('a name without a verb leaves it to the description', () => {
    const { textActions } = traitsOf('files', {
      name: 'directory_tree',
      description: 'Lists a folder as a tree.',
    });
    expect(textActions).toBe(setOf('list'));
  });

  test('the words of the server are no object of the name', () => {
    const { roles } = traitsOf('linear', { name: 'linear_createIssue' });
    expect(roles).toEqual([ROLE.server, ROLE.verb, ROLE.object]);
  });

  test('arguments tell which details it takes, annotations whether it only reads', () => {
    const { details } = traitsOf('calendar', {
      name: 'find_events',
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', properties: { startDate: {}, attendee_email: {} } },
    });
    expect(details & DETAIL.date).not.toBe(0);
    expect(details & DETAIL.person).not.toBe(0);
    expect(details & DETAIL.path).toBe(0);
    expect(details & READ_ONLY).not.toBe(0);
  });
});

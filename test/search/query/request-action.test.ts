import { describe, expect, test } from 'vitest';
import { readAction } from '../../../src/search/query/request-action.ts';
import { ACTIONS } from '../../../src/search/words/actions.ts';

function asked(request: string): string[] {
  const { actions } = readAction(request);
  return ACTIONS.filter((_, i) => ((actions >>> i) & 1) === 1);
}

describe('what a request asks for', () => {
  test.each([
    ['open an issue', 'create'],
    ['open the issue tracker file', 'create'],
    ['open a file', 'read'],
    ['open https://example.com in the browser', 'act'],
    ['file a Jira bug', 'create'],
    ['put off the meeting by an hour', 'update'],
    ['tick off a to-do', 'complete'],
    ['get rid of the old branch', 'delete'],
    ['call off the review', 'stop'],
    ['kick off the nightly build', 'run'],
    ['bounce the deployment', 'run'],
    ['ping the on-call channel', 'send'],
    ['let #proj-riga know that we moved', 'send'],
    ['dig up the booking confirmation', 'search'],
    ['how many rows are there', 'count'],
    ['list my open pull requests', 'list'],
    ['book a room for Thursday', 'create'],
    ['pull up the invoice', 'read'],
    ['make a copy of the sheet', 'copy'],
  ])('%s: %s', (request, action) => {
    expect(asked(request)).toContain(action);
  });

  test.each([
    'Could you please delete the branch',
    'I want you to delete the branch',
    'How do I delete a branch?',
    'GitHub delete a branch',
    'On the board "Spring", delete the branch',
  ])('what leads in to it says nothing: %s', (request) => {
    expect(asked(request)).toEqual(['delete']);
  });

  test('a misspelt verb at the beginning is the verb', () => {
    expect(asked('serach the messages')).toEqual(['search']);
  });

  test.each(['file contents', 'pull request comments', 'pages of the wiki', 'sankey', ''])(
    'a noun is no verb: %s',
    (request) => {
      expect(asked(request)).not.toContain('create');
      expect(asked(request)).not.toContain('send');
    },
  );

  test('an everyday verb names the verbs that tools have for it', () => {
    expect(readAction('tick off a task').standIns.get('tick')).toContain('complet');
  });

  test('a long request costs no more than its beginning', () => {
    const began = performance.now();
    readAction('please '.repeat(50_000));
    expect(performance.now() - began).toBeLessThan(200);
  });
});

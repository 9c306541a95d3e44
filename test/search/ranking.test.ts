import { expect, test } from 'vitest';
import { groupByServer } from '../../bench/retrieval/sets.ts';
import { createToolIndex } from '../../src/index.ts';
import { FEATURES } from '../../src/search/rank/feature-table.ts';
import weights from '../../src/search/rank/weights.json' with { type: 'json' };
import { LABELLED_QUERIES, RANKING_TOOLS } from './ranking-tools.ts';

const FIRST_FLOOR = 0.85;
const FIRST_FIVE_FLOOR = 0.95;

function indexAll(mode: 'learned' | 'lexical' | 'words') {
  const index = createToolIndex({ mode });
  for (const [server, tools] of groupByServer(RANKING_TOOLS)) index.replaceServer(server, tools);
  return index;
}

test('the labelled set is ranked at least as well as before', () => {
  const index = indexAll('learned');
  const places = LABELLED_QUERIES.map(([query, name]) =>
    index.search(query).findIndex((hit) => hit.name === name),
  );
  const share = (k: number) => places.filter((place) => place >= 0 && place < k).length / places.length;
  console.log(`labelled set: R@1 ${share(1).toFixed(3)}, R@5 ${share(5).toFixed(3)}`);
  expect(share(1)).toBeGreaterThanOrEqual(FIRST_FLOOR);
  expect(share(5)).toBeGreaterThanOrEqual(FIRST_FIVE_FLOOR);
});

test('the weights are those of the features there are', () => {
  expect(weights.features).toEqual(FEATURES);
});

test('a server named in the query counts', () => {
  const index = indexAll('learned');
  index.replaceServer('teams', [{ name: 'post_message', description: 'Post a message to a channel' }]);
  expect(index.search('post a message in slack')[0]).toMatchObject({ server: 'slack', name: 'post_message' });
  expect(index.search('post a message in teams')[0]).toMatchObject({ server: 'teams', name: 'post_message' });
});

test('accents and compatibility forms are folded', () => {
  const index = indexAll('learned');
  expect(index.search('Wéather ｆｏｒｅｃａｓｔ')[0]?.name).toBe('get_forecast');
});

test('stages can be switched off', () => {
  expect(indexAll('words').search('wether')).toEqual([]);
  expect(indexAll('lexical').search('wether')[0]?.name).toBe('get_forecast');
});

test('explains a hit by its words, fields and scores', () => {
  const [best] = indexAll('learned').explain('send emails');
  expect(best).toMatchObject({ server: 'mail', name: 'sendEmail', isNamed: false, learned: 1 });
  expect(best?.words.map(({ word, term, kind }) => [word, term, kind])).toEqual(
    expect.arrayContaining([
      ['send', 'send', 'word'],
      ['emails', 'email', 'word'],
    ]),
  );
  expect(best?.words[0]?.fields).toContain('name');
});

test('says which words are unknown and what is near', () => {
  const index = indexAll('learned');
  const answer = index.query('qwertzuiop create issue');
  expect(answer.unknownWords).toEqual(['qwertzuiop']);
  expect(answer.coverage).toBeGreaterThan(0.3);
  expect(index.nearest('getForcasts', { limit: 1 })).toEqual([{ server: 'weather', name: 'get_forecast' }]);
});

test('tools of several servers that fit alike are told, unless the query names a server', () => {
  const index = createToolIndex();
  for (const server of ['north', 'south'])
    index.replaceServer(server, [{ name: 'create_issue', description: 'Creates an issue.' }]);
  expect(index.query('file a bug report').rivals).toEqual([
    { server: expect.stringMatching(/north|south/), name: 'create_issue' },
  ]);
  expect(index.query('file a bug report in north').rivals).toEqual([]);
  expect(index.query('create_issue').rivals).toEqual([]);
});

test('a tool that does the opposite, or another thing with the same object, comes later', () => {
  const index = createToolIndex();
  const verbs = ['create', 'update', 'list', 'delete', 'close'];
  index.replaceServer(
    'github',
    verbs.map((verb) => ({ name: `${verb}_issue`, description: `${verb} an issue in a GitHub repository` })),
  );
  const first = (query: string) => index.search(query)[0]?.name;
  expect(first('open a github issue')).toBe('create_issue');
  expect(first('get rid of the issue')).toBe('delete_issue');
  expect(first('show all my open issues')).toBe('list_issue');
});

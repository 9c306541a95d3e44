import { describe, expect, test } from 'vitest';
import { endOfFirstSentence } from '../../../src/search/words/first-sentence.ts';
import { stem } from '../../../src/search/words/stem.ts';
import { eachWord, splitWords } from '../../../src/search/words/words.ts';

describe('the words of a text', () => {
  test.each([
    ['create_pull-request', ['create', 'pull', 'request']],
    ['parseURLs HTTPRequest', ['parse', 'urls', 'http', 'request']],
    ['oauth2 Base64Encode', ['oauth', '2', 'base', '64', 'encode']],
    ['Café déjà-vu', ['cafe', 'deja', 'vu']],
    ['“quoted” → arrow…', ['quoted', 'arrow']],
    ['搜索文件', ['搜索', '索文', '文件']],
    ['in 搜 it', ['in', '搜', 'it']],
    ['', []],
    ['_-./', []],
  ])('of %j', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  test('joined come as well, where two or three parts are written as one', () => {
    const joined: string[] = [];
    eachWord('GitHub aVeryLongCompoundName a1b2', (word, isJoined) => {
      if (isJoined) joined.push(word);
    });
    expect(joined).toEqual(['github']);
  });
});

test('stems are those of English words alone', () => {
  expect(['issues', 'creating', 'go', 'Überfälle', 'x1', '搜索'].map(stem)).toEqual([
    ...['issu', 'creat', 'go', 'Überfälle', 'x1', '搜索'],
  ]);
});

test.each([
  ['One. Two.', 4],
  ['1.5 is no end! It', 14],
  ['line\nnext', 5],
  ['no end', 6],
  ['', 0],
  [`${'a'.repeat(300)}. b`, 240],
  [`${'a'.repeat(240)}. b`, 241],
])('the first sentence of %j', (text, end) => {
  expect(endOfFirstSentence(text)).toBe(end);
});

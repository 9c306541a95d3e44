import { expect, test } from 'vitest';
import { firstSentence, shorten } from '../../../src/search/answer/shorten.ts';

test('a text that fits stays, but for white space around it', () => {
  expect(shorten('  a b  ', 3)).toBe('a b');
});

test('a text is cut after a sentence, else between words, else anywhere', () => {
  expect(shorten('One two. Three four five six', 16)).toBe('One two. […]');
  expect(shorten('One two three four five six', 16)).toBe('One two three […]');
  expect(shorten('o'.repeat(30), 16)).toBe(`${'o'.repeat(16)} […]`);
  expect(shorten(`A. ${'word '.repeat(10)}`, 20)).toBe('A. word word word […]');
});

test('no half of a character is left', () => {
  expect(shorten('😀'.repeat(10), 5)).toBe('😀😀 […]');
});

test('the first sentence is whole, and marked where it is not', () => {
  expect(firstSentence('Ties a knot. Slowly.')).toBe('Ties a knot.');
  expect(firstSentence('Version 1.2 of it! More')).toBe('Version 1.2 of it!');
  expect(firstSentence('結び目を作る。速い。')).toBe('結び目を作る。');
  expect(firstSentence('One line\nand another')).toBe('One line […]');
  const long = firstSentence('word '.repeat(100));
  expect(long.length).toBeLessThan(250);
  expect(long).toMatch(/word \[…\]$/);
});

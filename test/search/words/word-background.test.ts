import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeWords, encodeWords, wordBackground } from '../../../src/search/words/word-background.ts';

test('every word that was written down is read back, and no other', () => {
  const word = fc.stringMatching(/^[a-zé目0-9]{1,6}$/);
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.dictionary(word, fc.tuple(share, share)), fc.array(word), (shares, others) => {
      const words = new Map(
        Object.entries(shares).map(([key, [tools, requests]]) => [key, wordBackground(tools, requests)]),
      );
      const background = decodeWords(encodeWords(words));
      for (const [key, { rarity, subject }] of words) {
        expect(background.read(key).rarity).toBeCloseTo(rarity, 1);
        expect(background.read(key).subject).toBeCloseTo(subject, 1);
      }
      for (const other of others) {
        if (!words.has(other)) expect(background.read(other)).toEqual({ rarity: 1, subject: 1 });
      }
    }),
  );
});

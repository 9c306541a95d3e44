import { describe, expect, test } from 'vitest';
import { hashOfPiece, TokenTable } from '../../../src/search/meaning/token-table.ts';

const PIECES = ['issue', 'play', '##ing', '##s', 'github', 'git', 'hub', 'data'].sort(
  (a, b) => hashOfPiece(a) - hashOfPiece(b),
);

function piecesOf(text: string): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  TokenTable.ofPieces(PIECES).eachPiece(text, (piece) => found.push(PIECES[piece]));
  return found;
}

describe('the pieces of a text', () => {
  test.each([
    ['Playing issues', ['play', '##ing', 'issue', '##s']],
    ['git hub', ['git', 'hub']],
    ['a GitHub issue', ['github', 'issue']],
    ['data, data', ['data', 'data']],
    ['données', []],
    ['', []],
  ])('%s', (text, expected) => {
    expect(piecesOf(text)).toEqual(expected);
  });
});

test('bytes that are no table of this version are none', () => {
  expect(TokenTable.read(new Uint8Array(10))).toBeUndefined();
  expect(TokenTable.read(new Uint8Array(64))).toBeUndefined();
});

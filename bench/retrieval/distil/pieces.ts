/** Numbers the word pieces of the gathered texts, as the product reads texts. Usage: node run.mjs pieces MODEL FOLDER */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashOfPiece, TokenTable } from '../../../src/search/meaning/token-table.ts';

const [model = '', folder = ''] = process.argv.slice(3);
const { vocab } = (
  JSON.parse(readFileSync(path.join(model, 'tokenizer.json'), 'utf8')) as {
    model: { vocab: Record<string, number> };
  }
).model;
// Pieces of an English model in other scripts mean little.
const pieces = Object.keys(vocab).filter((piece) => /^(?:##)?[a-z0-9]+$/.test(piece));
pieces.sort((a, b) => hashOfPiece(a) - hashOfPiece(b));
const table = TokenTable.ofPieces(pieces);
const texts = JSON.parse(readFileSync(path.join(folder, 'texts.json'), 'utf8')) as string[];
const ids: number[] = [];
const ends = texts.map((text) => {
  table.eachPiece(text, (piece) => ids.push(piece));
  return ids.length;
});
const words = pieces.map((piece) => piece.replace(/^##/, ''));
const ranks = pieces.map((piece) => vocab[piece] ?? 0);
writeFileSync(path.join(folder, 'pieces.json'), JSON.stringify({ pieces, words, ranks }));
writeFileSync(path.join(folder, 'piece-words.json'), JSON.stringify(words));
writeFileSync(path.join(folder, 'ids.i32'), Int32Array.from(ids));
writeFileSync(path.join(folder, 'ends.i32'), Int32Array.from(ends));
writeFileSync(path.join(folder, 'hashes.u32'), Uint32Array.from(pieces, hashOfPiece));
console.log(`${pieces.length} pieces, ${texts.length} texts, ${ids.length} of their pieces`);

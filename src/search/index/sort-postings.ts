import { DOCUMENT_SHIFT, type Segment } from './segment.ts';

export function joinVectors(vectors: readonly Int8Array[]): Int8Array {
  const all = new Int8Array(vectors.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const vector of vectors) {
    all.set(vector, at);
    at += vector.length;
  }
  return all;
}

/** A counting sort; entries of one term are in order already. `places` are the terms' numbers by hash. */
export function sortByTerm(
  terms: readonly number[],
  entries: readonly number[],
  places: Uint32Array,
): Pick<Segment, 'starts' | 'postings' | 'frequencies'> {
  const starts = new Uint32Array(places.length + 1);
  for (const term of terms) {
    const slot = (places[term] ?? 0) + 1;
    starts[slot] = (starts[slot] ?? 0) + 1;
  }
  for (let term = 0; term < places.length; term++) {
    starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  }
  const postings = new Uint32Array(entries.length);
  const next = starts.slice();
  for (let i = 0; i < entries.length; i++) {
    const place = places[terms[i] ?? 0] ?? 0;
    const slot = next[place] ?? 0;
    postings[slot] = entries[i] ?? 0;
    next[place] = slot + 1;
  }
  return { starts, postings, frequencies: countDocuments(starts, postings) };
}

function countDocuments(starts: Uint32Array, postings: Uint32Array): Uint32Array {
  const frequencies = new Uint32Array(starts.length - 1);
  for (let term = 0; term < frequencies.length; term++) {
    let last = -1;
    let count = 0;
    for (let i = starts[term] ?? 0; i < (starts[term + 1] ?? 0); i++) {
      const document = (postings[i] ?? 0) >>> DOCUMENT_SHIFT;
      if (document !== last) count++;
      last = document;
    }
    frequencies[term] = count;
  }
  return frequencies;
}

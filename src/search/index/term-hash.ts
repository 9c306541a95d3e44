/**
 * FNV-1a. Two of a catalog's terms sharing a hash is a one in a hundred thousand affair, and would only mix up the
 * two words.
 */
export function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

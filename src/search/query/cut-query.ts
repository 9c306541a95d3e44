const MAX_CHARACTERS = 4_000;
const NON_ASCII = /[^\0-\x7f]/;

/** As much of a query as is read: no word cut in two would be one of the query. */
export function cutQuery(whole: string): string {
  const query = whole.trim().slice(0, MAX_CHARACTERS + 1);
  // Words are read off the composed text, in which one character can become eighteen.
  const length = NON_ASCII.test(query) ? query.normalize('NFKC').length : query.length;
  if (length <= MAX_CHARACTERS) return query;
  const limit = Math.floor((MAX_CHARACTERS * query.length) / length);
  const space = query.lastIndexOf(' ', limit);
  return query.slice(0, space > 0 ? space : limit);
}

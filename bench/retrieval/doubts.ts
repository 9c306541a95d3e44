/** How often a search says that the match is weak: where no tool does what is asked, and, falsely, where one does. */
import path from 'node:path';
import { createToolIndex } from '../../src/index.ts';
import { writeSearchAnswer } from '../../src/search/answer/answer.ts';
import { type LabelledRequest, readGivenRequests, readOwnRequests, type Setup } from './requests.ts';
import { DATA_FOLDER, groupByServer, readCatalog } from './sets.ts';

const catalog = readCatalog(path.join(DATA_FOLDER, 'catalog'));
const setups = [
  ...readGivenRequests(path.join(DATA_FOLDER, 'retrieval'), catalog),
  ...readOwnRequests(catalog),
];
const asked = setups.flatMap(ask);
print(
  'no tool does it',
  asked.filter(({ none }) => none),
);
print(
  'found in five',
  asked.filter(({ none, isFound }) => !none && isFound),
);
print(
  '  as agents ask',
  asked.filter(({ style, isFound }) => style === 'agent' && isFound),
);
print(
  'not found in five',
  asked.filter(({ none, isFound }) => !none && !isFound),
);

function ask({ tools, queries }: Setup) {
  const index = createToolIndex();
  for (const [server, listed] of groupByServer(tools)) index.replaceServer(server, listed);
  return queries.map((request) => {
    const answer = index.query(request.query, { limit: 5 });
    const text = writeSearchAnswer({ query: request.query, ...answer, definitionOf: () => undefined });
    const note = (JSON.parse(text) as { note?: string }).note ?? '';
    return { ...request, isFound: isFound(request, answer.hits), note };
  });
}

function isFound({ relevant }: LabelledRequest, hits: readonly { server: string; name: string }[]): boolean {
  return hits.some((hit) => relevant.some(({ server, name }) => server === hit.server && name === hit.name));
}

function print(name: string, all: readonly { readonly note: string }[]): void {
  const share = (words: string) =>
    ((100 * all.filter(({ note }) => note.includes(words)).length) / Math.max(all.length, 1)).toFixed(1);
  console.log(
    `${name.padEnd(20)} ${String(all.length).padStart(4)}  weak ${share('Weak match')} %  none does it ${share('none of the known')} %  nearly equal ${share('Nearly equal')} %`,
  );
}

/** Asks for every plain thing of the catalog in ten everyday wordings, with and without its server's name. */
import path from 'node:path';
import { createToolIndex } from '../../src/index.ts';
import { idOf } from '../../src/search/rank/exact-first.ts';
import { type PlainThing, plainThings } from './plain-things.ts';
import { DATA_FOLDER, groupByServer, readCatalog } from './sets.ts';

const tools = readCatalog(path.join(DATA_FOLDER, 'catalog'));
const index = createToolIndex();
for (const [server, listed] of groupByServer(tools)) index.replaceServer(server, listed);
const things = plainThings(tools);
const twins = new Map<string, Set<string>>();
for (const thing of things) {
  const ids = twins.get(keyOf(thing)) ?? new Set();
  twins.set(keyOf(thing), ids.add(idOf(thing.tool)));
}
let asked = 0;
let first = 0;
let among = 0;
const missed: string[] = [];
for (const thing of things) {
  const { server, name } = thing.tool;
  const equals = twins.get(keyOf(thing)) ?? new Set();
  thing.wordings.forEach((wording, i) => {
    asked++;
    const spoken = server.replaceAll('-', ' ');
    const named = i % 2 === 0 ? `${wording} in ${spoken}` : `${spoken}: ${wording}`;
    const [hit] = index.search(named, { limit: 1 });
    if (hit !== undefined && hit.name === name && hit.server === server) first++;
    else missed.push(`first   "${named}" → ${hit?.server}/${hit?.name}, not ${server}/${name}`);
    const hits = index.search(wording, { limit: 5 });
    if (hits.some((one) => equals.has(idOf(one)))) among++;
    else
      missed.push(
        `among 5 "${wording}" → ${hits.map((one) => `${one.server}/${one.name}`).join(' ')}, not ${server}/${name}`,
      );
  });
}
const percent = (count: number) => ((100 * count) / Math.max(asked, 1)).toFixed(1);
if (process.argv.includes('--exceptions')) for (const line of missed) console.log(line);
console.log(
  `${things.length} plain things, ${asked} wordings: first with the server's name ${percent(first)} %, among five without ${percent(among)} %`,
);

/** Tools of several servers that do the same by name are equally right where no server is named. */
function keyOf({ action, object }: PlainThing): string {
  return `${action} ${object}`;
}

/** Draws `docs/ranking.svg`: the share of requests for which a right tool is among the first k, by ranker. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { idOf } from '../../src/search/rank/exact-first.ts';
import { RANKERS, type Ranker } from './rankers.ts';
import { isMeasured, readGivenRequests, readOwnRequests } from './requests.ts';
import { DATA_FOLDER, readCatalog } from './sets.ts';

const DEPTH = 10;
const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 44;
const RIGHT = 190;
const TOP = 16;
const BOTTOM = 36;
const COLOURS = ['#999999', '#666666', '#5b9bd5', '#2e75b6', '#c55a11'];

const catalog = readCatalog(path.join(DATA_FOLDER, 'catalog'));
const setups = [
  ...readGivenRequests(path.join(DATA_FOLDER, 'retrieval'), catalog),
  ...readOwnRequests(catalog),
];
const lines = RANKERS.map((ranker) => ({ name: ranker.name, recall: recallOf(ranker) }));
for (const { name, recall } of lines) {
  console.log(name.padEnd(20), recall.map((share) => (100 * share).toFixed(1).padStart(5)).join(' '));
}
writeFileSync('docs/ranking.svg', draw());

/** By k from 1: the share of requests with a right tool among the first k. */
function recallOf({ index }: Ranker): number[] {
  const found = new Array<number>(DEPTH).fill(0);
  let asked = 0;
  for (const { tools, queries } of setups) {
    const search = index(tools);
    for (const { query, relevant } of queries.filter(isMeasured)) {
      asked++;
      const right = new Set(relevant.filter(({ grade }) => grade === 2).map(idOf));
      const place = search(query, DEPTH).findIndex((hit) => right.has(idOf(hit)));
      if (place === -1) continue;
      for (let k = place; k < DEPTH; k++) found[k] = (found[k] ?? 0) + 1;
    }
  }
  return found.map((count) => count / Math.max(asked, 1));
}

function draw(): string {
  const x = (k: number) => LEFT + ((WIDTH - LEFT - RIGHT) * (k - 1)) / (DEPTH - 1);
  const y = (share: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);
  const text = (at: number, line: number, words: string, rest = '') =>
    `<text x="${at}" y="${line}" ${rest}>${words}</text>`;
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(share)}" y2="${y(share)}" stroke="#dddddd"/>`,
    text(LEFT - 8, y(share) + 4, `${100 * share} %`, 'text-anchor="end"'),
  ]);
  const ticks = Array.from({ length: DEPTH }, (_, i) =>
    text(x(i + 1), HEIGHT - BOTTOM + 18, String(i + 1), 'text-anchor="middle"'),
  );
  const drawn = lines.flatMap(({ name, recall }, i) => {
    const points = recall.map((share, k) => `${x(k + 1).toFixed(1)},${y(share).toFixed(1)}`).join(' ');
    const colour = COLOURS[i] ?? '#000000';
    const legend = TOP + 20 + 20 * (lines.length - i);
    return [
      `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      text(WIDTH - RIGHT + 16, legend, name, `fill="${colour}" font-weight="bold"`),
    ];
  });
  const caption = text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, 'first k tools', 'text-anchor="middle"');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<title>Share of requests with a right tool among the first k, by ranker</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${[...grid, ...ticks, ...drawn, caption].join('\n')}
</svg>
`;
}

import { expect, test } from 'vitest';
import { decodeCacheFile, encodeCacheFile } from '../../src/catalog/cache-file.ts';
import { type CatalogTool, MAX_TOOL_NAME_LENGTH, readTools } from '../../src/catalog/catalog-tool.ts';
import { exposedNames, toolByQualifiedName } from '../../src/catalog/exposed-name.ts';
import { listedDefinition } from '../../src/downstream/lists/listed-definition.ts';
import { matchesTemplate } from '../../src/downstream/lists/uri-template.ts';
import { writeSearchAnswer } from '../../src/search/answer/answer.ts';
import { estimateTokens } from '../../src/search/answer/token-estimate.ts';
import { ToolIndex } from '../../src/search/tool-index.ts';
import { snapshotOf } from '../catalog/samples.ts';
import {
  type Chance,
  FUZZ_TEST_MS,
  fuzz,
  heapBytes,
  longestTurnMs,
  MAX_MESSAGE_BYTES,
  MAX_PROCESSOR_MS,
  processorMs,
} from './budget.ts';
import { oddJson, oddText } from './odd-json.ts';

const MAX_TOKENS = 2_000;
const MAX_GROWTH_BYTES = 64e6;
const PLAIN = '{"name":"plain_knot","description":"Ties a plain knot","inputSchema":{"type":"object"}}';

/** A `tools/list` of less than a message, each tool odd in some way. */
function oddTools(chance: Chance): string[] {
  const tools: string[] = [];
  let left = chance.size(MAX_MESSAGE_BYTES - 1000);
  const share = chance.pick([1, 0.3, 0.01, 0.0001]);
  while (left > 100 && tools.length < 20_000) {
    const tool = oddTool(chance, Math.max(Math.min(left * share, left - 60), 60));
    left -= Buffer.byteLength(tool) + 1;
    if (left > 0) tools.push(tool);
  }
  return tools;
}

function oddTool(chance: Chance, bytes: number): string {
  const name = chance.isHit(0.8) ? `odd_knot_${chance.below(1e6)}` : oddText(chance, bytes / 3);
  const kind = chance.below(4);
  const part = bytes / 6;
  const members = [`"name":${JSON.stringify(name)}`];
  if (kind !== 0) members.push(`"inputSchema":${oddJson(chance, part)}`);
  if (kind === 1) members.push(`"description":${JSON.stringify(oddText(chance, part))}`);
  if (kind === 2) members.push(`"description":"An odd knot","outputSchema":${oddJson(chance, part)}`);
  if (kind === 3) members.push(`"title":${oddJson(chance, part)},"annotations":${oddJson(chance, part)}`);
  if (chance.isHit(0.1)) members.push(`"execution":${oddJson(chance, part)}`);
  if (chance.isHit(0.1)) members.push(`${JSON.stringify(oddText(chance, part))}:${oddJson(chance, part)}`);
  return `{${members.join(chance.pick([',', ' ,\n', ',']))}}`;
}

function within(what: string, step: () => void): void {
  expect(processorMs(step), what).toBeLessThanOrEqual(MAX_PROCESSOR_MS);
}

test(
  'no definition makes anything hang, fail or exceed its budget, nor keeps others from being found',
  async () => {
    let atFirst = 0;
    const rounds = await fuzz(async (chance, round) => {
      const definitions = oddTools(chance);
      const listed: { tools: readonly CatalogTool[] } = { tools: [] };
      within('reading the list', () => {
        listed.tools = readTools('odd', definitions);
      });
      const { tools } = listed;
      for (const { name } of tools) expect(name.length).toBeLessThanOrEqual(MAX_TOOL_NAME_LENGTH);

      const index = new ToolIndex();
      index.replaceServer('good', [JSON.parse(PLAIN)]);
      const parsed = tools.map(({ definition }) => JSON.parse(definition) as unknown);
      const turn = await longestTurnMs(() => index.replaceServerInSlices('odd', parsed));
      expect(turn, 'indexing').toBeLessThanOrEqual(MAX_PROCESSOR_MS);
      expect(index.size).toBe(tools.length + 1);

      const byName = new Map(tools.map((tool) => [tool.name, tool.definition]));
      for (const query of ['odd plain knot', oddText(chance, 5_000), 'knto abtype', '']) {
        const what = JSON.stringify(query.slice(0, 40));
        within(`searching ${what}`, () => search(chance, index, query, byName));
        within(`explaining ${what}`, () => index.explain(query, { server: 'odd' }));
      }
      expect(index.search('plain knot')[0]).toMatchObject({ server: 'good' });

      within('listing as pinned', () => {
        for (const { name, definition } of tools) JSON.parse(listedDefinition(definition, name));
      });
      within('naming', () => {
        const names = exposedNames(tools);
        expect(names.size).toBe(tools.length);
        toolByQualifiedName(`odd__${oddText(chance, 80)}`, tools);
      });
      within('matching', () => {
        for (const { definition } of tools.slice(0, 50)) matchesTemplate(definition, oddText(chance, 9_000));
      });
      within('keeping', () => {
        const snapshot = {
          ...snapshotOf('odd', []),
          tools,
          index: index.serializeServer('odd') ?? new Uint8Array(),
        };
        const file = encodeCacheFile({ snapshot, readAt: 1, initializeParams: '{}' });
        expect(decodeCacheFile('odd', file)?.snapshot.tools.length).toBe(tools.length);
      });
      within('removing', () => index.removeServer('odd'));
      if (round === 20) atFirst = heapBytes();
    });
    expect(rounds).toBeGreaterThan(20);
    expect(heapBytes() - atFirst).toBeLessThan(MAX_GROWTH_BYTES);
  },
  FUZZ_TEST_MS,
);

function search(
  chance: Chance,
  index: ToolIndex,
  query: string,
  definitions: ReadonlyMap<string, string>,
): void {
  const server = query === '' ? 'odd' : undefined;
  const limit = chance.pick([1, 5, 50]);
  const answer = index.query(query, { limit, server });
  const text = writeSearchAnswer({
    query,
    ...answer,
    definitionOf: (of, name) => (of === 'odd' ? definitions.get(name) : PLAIN),
    nearest: answer.hits.length === 0 ? index.nearest(query, { limit: 3 }) : [],
    detail: chance.pick(['full', 'brief', 'names']),
    maxTokens: MAX_TOKENS,
  });
  JSON.parse(text);
  // A name has its place whatever it costs.
  const name = estimateTokens(JSON.stringify(answer.hits[0] ?? ''));
  const budget = answer.hits.length === 1 ? 10 * MAX_TOKENS : MAX_TOKENS;
  expect(estimateTokens(text)).toBeLessThanOrEqual(Math.max(budget, 200 + name));
}

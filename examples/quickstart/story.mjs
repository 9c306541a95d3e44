// Three real servers behind one entry, as an agent sees them. The configuration is toolsift.json in the root folder.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { parse } from 'jsonc-parser';
import {
  callText,
  connect,
  connectToolsift,
  invoke,
  listedServers,
  listTools,
  search,
} from '../support/agent.mjs';
import { runStory } from '../support/run-story.mjs';

/** @typedef {import('@modelcontextprotocol/sdk/types.js').Tool} Tool */
/** @typedef {import('@modelcontextprotocol/sdk/client/index.js').Client} Client */
/** @typedef {import('../support/run-story.mjs').Story} Story */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CONFIG = path.join(ROOT, 'toolsift.json');
const FILES = path.join(ROOT, 'examples/quickstart/files');
const MENU = ['invoke_tool', 'list_servers', 'search_tools'];
const PINNED = 'read_text_file';

await runStory('toolsift quickstart: three servers behind one entry', async (story) => {
  const temporary = mkdtempSync(path.join(tmpdir(), 'toolsift-quickstart-'));
  try {
    const memoryFile = path.join(temporary, 'memory.jsonl');
    const agent = await start(story, { QUICKSTART_MEMORY_FILE: memoryFile });
    try {
      const menu = await lookAtTheMenu(story, agent);
      await lookAtTheServers(story, agent);
      await findTools(story, agent);
      await invokeTools(story, agent);
      await usePinnedTool(story, agent);
      await compareTokens(story, menu);
    } finally {
      await agent.close();
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
});

/** @param {Story} story @param {Record<string, string>} env */
async function start(story, env) {
  story.step('Start: node dist/cli.js mcp --config toolsift.json');
  const startedAt = Date.now();
  const agent = await connectToolsift(CONFIG, env);
  const info = agent.getServerVersion();
  story.expect(
    info?.name === 'toolsift',
    `${info?.name} ${info?.version} answered in ${Date.now() - startedAt} ms`,
    info,
  );
  return agent;
}

/** @param {Story} story @param {Client} agent */
async function lookAtTheMenu(story, agent) {
  story.step('tools/list: all the agent has to read');
  const expected = [...MENU, PINNED].sort();
  const tools = await listTools(agent, expected);
  const names = tools.map(({ name }) => name).sort();
  story.expect(
    String(names) === String(expected),
    `three meta-tools and the pinned one: ${expected.join(', ')}`,
    names,
  );
  return tools;
}

/** @param {Story} story @param {Client} agent */
async function lookAtTheServers(story, agent) {
  story.step('list_servers: what is behind them');
  const servers = await listedServers(agent);
  for (const { name, tools, state } of servers)
    story.say(`${name.padEnd(12)}${String(tools).padStart(3)} tools  ${state}`);
  const names = servers.filter(({ tools }) => tools > 0).map(({ name }) => name);
  story.expect(
    String(names.sort()) === 'everything,filesystem,memory',
    'all three servers have told their tools',
    servers,
  );
}

/** @param {Story} story @param {Client} agent */
async function findTools(story, agent) {
  const wanted = [
    { query: 'add two numbers', server: 'everything', name: 'get-sum' },
    { query: 'what is inside this folder?', server: 'filesystem', name: 'list_directory' },
    { query: 'store a new observation about a person', server: 'memory', name: 'add_observations' },
    { query: 'create_entities', server: 'memory', name: 'create_entities', place: 1 },
  ];
  story.step('search_tools: in the words of the task, or by name');
  for (const { query, server, name, place = 5 } of wanted) {
    const { tools, matched, known } = await search(agent, query);
    const rank = tools.findIndex((hit) => hit.server === server && hit.name === name) + 1;
    const found = tools.map((hit) => `${hit.server}/${hit.name}`);
    story.expect(
      rank > 0 && rank <= place,
      `"${query}" finds ${server}/${name}: place ${rank}, ${matched} of ${known} tools match`,
      found,
    );
  }
}

/** @param {Story} story @param {Client} agent */
async function invokeTools(story, agent) {
  story.step('invoke_tool: one call on each server');
  const sum = await invoke(agent, 'everything', 'get-sum', { a: 19, b: 23 });
  story.expect(sum.includes('42'), `everything/get-sum: ${sum}`, sum);

  const listing = await invoke(agent, 'filesystem', 'list_directory', { path: FILES });
  story.expect(
    listing.includes('plans.md') && listing.includes('shopping.md'),
    `filesystem/list_directory: ${listing.replaceAll('\n', ', ')}`,
    listing,
  );

  const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes lemons'] }];
  await invoke(agent, 'memory', 'create_entities', { entities });
  const remembered = await invoke(agent, 'memory', 'search_nodes', { query: 'lemons' });
  story.expect(
    remembered.includes('Ada'),
    'memory/create_entities, then search_nodes: finds Ada',
    remembered,
  );
}

/** @param {Story} story @param {Client} agent */
async function usePinnedTool(story, agent) {
  story.step(`${PINNED}: pinned, so called like any tool`);
  const file = path.join(FILES, 'shopping.md');
  const text = await callText(agent, PINNED, { path: file });
  story.expect(
    text === readFileSync(file, 'utf8'),
    `the text of shopping.md, ${text.length} characters, unchanged`,
    text,
  );
}

/** @param {Story} story @param {Tool[]} menu */
async function compareTokens(story, menu) {
  story.step('Tokens of tool definitions before the first word (o200k_base)');
  const all = await toolsWithoutToolsift();
  const before = tokensOf(all);
  const after = tokensOf(menu);
  story.say(
    `before  ${before.toLocaleString('en-US').padStart(6)}  all ${all.length} tools, each server wired to the agent`,
  );
  story.say(`after   ${after.toLocaleString('en-US').padStart(6)}  ${menu.length} tools, through toolsift`);
  story.expect(after < before / 2, `${Math.round(100 * (1 - after / before))} % saved`, { before, after });
}

/** What the agent would get with the same servers in its own configuration. @returns {Promise<Tool[]>} */
async function toolsWithoutToolsift() {
  const { servers } = parse(readFileSync(CONFIG, 'utf8'), [], { allowTrailingComma: true });
  const lists = await Promise.all(
    Object.values(servers).map(async ({ command, args }) => {
      const server = await connect({ command, args, cwd: ROOT });
      try {
        return (await server.listTools()).tools;
      } finally {
        await server.close();
      }
    }),
  );
  return lists.flat();
}

/** Counts what hosts hand to the model. @param {Tool[]} tools */
function tokensOf(tools) {
  return countTokens(
    JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
  );
}

// Which tools deserve a place in the menu, what they are called there, and how the others are reached.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { callText, connectToolsift, invoke, listTools, search } from '../support/agent.mjs';
import { runStory } from '../support/run-story.mjs';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

await runStory('Pins and search: two servers with the same tools', async (story) => {
  const agent = await connectToolsift(path.join(FOLDER, 'toolsift.json'));
  try {
    await seePinnedNames(story, agent);
    await callPinned(story, agent);
    await reachTheOthers(story, agent);
  } finally {
    await agent.close();
  }
});

/** @typedef {import('../support/run-story.mjs').Story} Story */
/** @typedef {import('@modelcontextprotocol/sdk/client/index.js').Client} Client */

/** @param {Story} story @param {Client} agent */
async function seePinnedNames(story, agent) {
  story.step('tools/list: the names of pinned tools');
  const both = ['handbook__read_text_file', 'notes__read_text_file'];
  const names = (await listTools(agent, ['echo', ...both])).map(({ name }) => name);
  story.expect(names.includes('echo'), 'a unique tool keeps its name: echo', names);
  story.expect(
    both.every((name) => names.includes(name)),
    `a name two servers have gets the server in front: ${both.join(', ')}`,
    names,
  );
  story.expect(names.length === 6, 'with the three meta-tools these are all', names);
}

/** @param {Story} story @param {Client} agent */
async function callPinned(story, agent) {
  story.step('tools/call: each pinned tool reaches its own server');
  const echo = await callText(agent, 'echo', { message: 'hello' });
  story.expect(echo.includes('hello'), `echo: ${echo}`, echo);
  const rules = await callText(agent, 'handbook__read_text_file', { path: rulesOf('handbook') });
  story.expect(rules.startsWith('Employees'), `handbook__read_text_file: ${rules.trim()}`, rules);
  const note = await callText(agent, 'notes__read_text_file', { path: rulesOf('notes') });
  story.expect(note.startsWith('Ask Ada'), `notes__read_text_file: ${note.trim()}`, note);
  const refused = await callText(agent, 'notes__read_text_file', { path: rulesOf('handbook') });
  story.expect(
    refused.includes('Access denied'),
    "notes must not read the handbook: the server's own refusal comes through",
    refused,
  );
}

/** @param {Story} story @param {Client} agent */
async function reachTheOthers(story, agent) {
  story.step('search_tools, then invoke_tool: everything that is not pinned');
  const { tools } = await search(agent, 'list the files of a directory in notes', 5);
  const hit = tools.find(({ server, name }) => server === 'notes' && name === 'list_directory');
  story.expect(
    hit !== undefined,
    'the server can be part of the query: notes/list_directory is found',
    tools,
  );
  const listing = await invoke(agent, 'notes', 'list_directory', { path: path.join(FOLDER, 'notes') });
  story.expect(listing.includes('rules.md'), `invoke_tool notes/list_directory: ${listing}`, listing);

  story.step('tools/call: a tool that is not in the menu, by server__tool');
  const direct = await callText(agent, 'handbook__list_directory', { path: path.join(FOLDER, 'handbook') });
  story.expect(direct.includes('rules.md'), `handbook__list_directory: ${direct}`, direct);
}

/** @param {string} server */
function rulesOf(server) {
  return path.join(FOLDER, server, 'rules.md');
}

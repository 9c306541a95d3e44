import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const ALL_LISTED_WAIT_MS = 30_000;
const POLL_MS = 100;

/** @typedef {{name: string, tools: number, state: string}} ServerRow */
/** @typedef {{server: string, name: string, description?: string}} Hit */

/**
 * The part of an agent that speaks MCP. It starts a server as agents do, from a command and its arguments, and
 * knows nothing of toolsift.
 *
 * @param {{command: string, args: string[], cwd?: string, env?: Record<string, string>}} entry
 */
export async function connect(entry) {
  const client = new Client({ name: 'example-agent', version: '1.0.0' });
  const env = /** @type {Record<string, string>} */ ({ ...process.env, ...entry.env });
  const transport = new StdioClientTransport({ ...entry, env, stderr: 'pipe' });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  try {
    await client.connect(transport);
  } catch (cause) {
    throw new Error(`${entry.args.join(' ')} did not answer "initialize"; it said: ${stderr || 'nothing'}`, {
      cause,
    });
  }
  return client;
}

/** The one entry an agent's configuration needs. @param {string} configFile @param {Record<string, string>} [env] */
export function connectToolsift(configFile, env = {}) {
  return connect({ command: process.execPath, args: [CLI, 'mcp', '--config', configFile], env });
}

/**
 * The list of tools once it holds `names`. Pinned tools of a server that starts slowly come later, with a
 * notification; an agent lists again then.
 *
 * @param {Client} client @param {string[]} names
 */
export async function listTools(client, names) {
  const deadline = Date.now() + ALL_LISTED_WAIT_MS;
  let onChange = () => {};
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => onChange());
  for (;;) {
    const changed = new Promise((resolve) => {
      onChange = () => resolve(undefined);
    });
    const { tools } = await client.listTools();
    const isComplete = names.every((name) => tools.some((tool) => tool.name === name));
    if (isComplete || Date.now() >= deadline) return tools;
    await Promise.race([changed, delay(ALL_LISTED_WAIT_MS, undefined, { ref: false })]);
  }
}

/** The text of a tool's answer. @param {Client} client @param {string} name @param {Record<string, unknown>} [args] */
export async function callText(client, name, args = {}) {
  const { content } = await client.callTool({ name, arguments: args });
  const blocks = /** @type {{type: string, text?: string}[]} */ (content);
  return blocks.map((block) => block.text ?? `(${block.type})`).join('\n');
}

/**
 * @param {Client} client @param {string} query @param {number} [k]
 * @returns {Promise<{tools: Hit[], matched: number, known: number}>}
 */
export async function search(client, query, k) {
  return JSON.parse(await callText(client, 'search_tools', { query, ...(k !== undefined && { k }) }));
}

/** @param {Client} client @param {string} server @param {string} name @param {Record<string, unknown>} args */
export function invoke(client, server, name, args) {
  return callText(client, 'invoke_tool', { server, name, arguments: args });
}

/**
 * The servers once each has told its tools. Only the very first session waits: later ones know them from the cache.
 *
 * @param {Client} client
 * @returns {Promise<ServerRow[]>}
 */
export async function listedServers(client) {
  const deadline = Date.now() + ALL_LISTED_WAIT_MS;
  for (;;) {
    const { servers } = JSON.parse(await callText(client, 'list_servers'));
    if (servers.every((/** @type {ServerRow} */ row) => row.tools > 0) || Date.now() > deadline)
      return servers;
    await delay(POLL_MS);
  }
}

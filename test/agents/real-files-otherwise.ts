// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are the subject
import { homedir } from 'node:os';
import { expect } from 'vitest';

/** Files that nobody can read, and what is said of them. */
export const UNREADABLE: Readonly<Record<string, string>> = {
  'claude-code/project-conflict.mcp.json': 'is not valid JSON:\n  line 3, column 1:',
  'claude-code/project-truncated.mcp.json': 'line 3, column 54: a closing ] is expected',
};

/** Files that are no place of servers to the agent, or only lead to one. */
export const OTHER_PLACES: readonly string[] = [
  'claude-code/settings.json',
  'claude-code/plugin-path.plugin.json',
];

const holdsArguments = expect.stringContaining('"command" has arguments in it');

/** Servers that toolsift runs otherwise than their agent. */
export const OTHERWISE: Readonly<Record<string, unknown>> = {
  // No transport of MCP, or none that toolsift has.
  'claude-code/project-url-no-type.mcp.json#socket': undefined,
  'vscode/user.json#socket': undefined,
  'vscode/user.json#pipe': undefined,
  // The agent starts a program of that name, and fails.
  'claude-code/project-one-string.mcp.json#joined': holdsArguments,
  'claude-code/project-one-string.mcp.json#joined-args': holdsArguments,
  // The home of this machine.
  'vscode/user.json#boxed': expect.objectContaining({ args: expect.arrayContaining([homedir()]) }),
  'vscode/user.json#envs': expect.stringContaining('toolsift knows no workspace; write the path'),
  'opencode/opencode.jsonc#fromfile': expect.stringContaining('${file:…} in "env.CERT"'),
  // What is not set is nothing there, and no fault.
  'opencode/opencode.jsonc#forms': expect.objectContaining({
    args: ['v.js', 'north', '', '$REGION', '${REGION}', '$north', '~/x'],
  }),
  // The secrets of the agent become variables of the same names.
  'continue/config.yaml#Shop Orders': expect.objectContaining({
    env: { MODE: 'read', SHOP_TOKEN: 'value-of-SHOP_TOKEN', PORT: '8080' },
  }),
  'continue/config.yaml#stock': expect.objectContaining({
    headers: { Authorization: 'Bearer value-of-DOCS_KEY' },
  }),
};

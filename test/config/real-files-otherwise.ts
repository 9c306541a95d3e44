// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are the subject
import { homedir } from 'node:os';
import { expect } from 'vitest';

/** Files that toolsift does not take, and what it says. */
export const REFUSED: Readonly<Record<string, string>> = {
  'claude-code/plugin-path.plugin.json': 'line 4, "mcpServers" must be an object of servers',
  'claude-code/project-list.mcp.json': 'line 1, "mcpServers" must be an object of servers',
  'claude-code/project-duplicate-keys.mcp.json': 'line 3, "mcpServers.files" stands here twice',
  'claude-code/project-empty.mcp.json': 'is empty; it must be an object, {"servers": …}',
  'claude-code/project-conflict.mcp.json': 'is not valid JSON:\n  line 3, column 1:',
  'claude-code/project-truncated.mcp.json': 'is not valid JSON: line 3, column 54: a closing ] is expected',
  'claude-desktop/no-servers.json': 'the file has no "servers"; known keys are',
  'vscode/settings-with-mcp.json': 'line 6, "mcp" is no key toolsift knows; did you mean "servers"?',
  'zed/settings.json': 'line 7, "context_servers" is no key toolsift knows; did you mean "servers"?',
  'opencode/opencode.jsonc': 'line 7, "mcp" is no key toolsift knows; did you mean "servers"?',
  'opencode/v2.json': 'line 3, "mcp" is no key toolsift knows; did you mean "servers"?',
  'opencode/foreign-form.json': 'line 3, "mcp" is no key toolsift knows; did you mean "servers"?',
  'opencode/no-type.json': 'line 3, "mcp" is no key toolsift knows; did you mean "servers"?',
  'not-a-config/registry-server.json': 'line 6, "packages" is no key toolsift knows',
  'not-a-config/test-plan.json': '"tests" is no key toolsift knows',
  'not-a-config/utf16.json': 'is UTF-16 text; save it as UTF-8',
};

const unset = (name: string) => expect.stringContaining(`variable ${name} in `);
const otherClient = (reference: string) => expect.stringContaining(`\${${reference}} in "`);
const noWorkspace = expect.stringMatching(/workspaceFolder.* toolsift knows no workspace; write the path/);
const holdsArguments = expect.stringContaining('"command" has arguments in it');
const noAddress = expect.stringContaining('"url" is no http:// or https:// address');

/**
 * Servers that toolsift reads otherwise than their own host. What a host leaves as it is for want of a variable is a
 * fault here; `${NAME}` is a reference whatever the host thinks of it, and `$NAME` never is, which a warning tells.
 */
export const OTHERWISE: Readonly<Record<string, unknown>> = {
  'claude-code/project.mcp.json#tables': unset('TABLES_DSN'),
  'claude-code/project-variables.mcp.json#unset': unset('NOT_SET'),
  'claude-code/project-variables.mcp.json#odd-forms': otherClient('input:region'),
  'claude-code/plugin-bare.mcp.json#local': unset('CLAUDE_PLUGIN_ROOT'),
  'claude-code/plugin-wrapped.mcp.json#chat': unset('CLAUDE_PLUGIN_ROOT'),
  'claude-code/plugin-inline.plugin.json#stock': unset('CLAUDE_PLUGIN_ROOT'),
  // Claude Code starts them all the same; whoever writes this means it.
  'claude-code/project-extras.mcp.json#off-enabled': 'disabled',
  'claude-code/project-extras.mcp.json#off-disabled': 'disabled',
  'claude-code/project-url-no-type.mcp.json#socket': expect.stringContaining(
    '"type" must be "stdio", "http" or "sse"',
  ),
  'claude-code/project-one-string.mcp.json#joined': holdsArguments,
  'claude-code/project-one-string.mcp.json#joined-args': holdsArguments,
  'claude-desktop/literal-variables.json#literal': unset('PATH'),
  'cursor/project-variables.json#bridge': noWorkspace,
  'vscode/workspace-inputs.json#orders': otherClient('input:region'),
  'vscode/workspace-inputs.json#stock': otherClient('input:shop-token'),
  'vscode/workspace-inputs.json#asked': otherClient('input:nowhere'),
  'vscode/workspace-gallery-names.json#oraios/serena': noWorkspace,
  'vscode/user.json#socket': noAddress,
  'vscode/user.json#pipe': noAddress,
  'vscode/user.json#envs': noWorkspace,
  'vscode/user.json#boxed': expect.objectContaining({ args: expect.arrayContaining([homedir()]) }),
  'vscode/user.json#conf': otherClient('config:…'),
  'windsurf/variables.json#forms': otherClient('file:…'),
  'windsurf/variables.json#remote': otherClient('file:…'),
  'gemini/settings.json#orders': expect.objectContaining({
    headers: { Authorization: 'Bearer $SHOP_TOKEN' },
  }),
  // Switched off by lists outside of the block.
  'gemini/settings.json#barred': expect.objectContaining({ args: ['barred.js'] }),
  'gemini/settings.json#unlisted': expect.objectContaining({ args: ['unlisted.js'] }),
  'gemini/variables.json#forms': unset('NOT_SET'),
  'gemini/variables.json#remote': expect.objectContaining({ url: 'https://$API_HOST/mcp' }),
  'gemini/extension.json#orders': unset('extensionPath'),
  'gemini/extension.json#stock': expect.objectContaining({
    headers: { Authorization: 'Bearer $SHOP_TOKEN' },
  }),
  'cline/settings.json#stock': expect.objectContaining({
    headers: { Authorization: 'Bearer value-of-SHOP_TOKEN' },
  }),
  'cline/settings.json#guess': expect.objectContaining({ kind: 'auto' }),
  'cline/settings.json#legacy-http': expect.objectContaining({ kind: 'http' }),
  'roo/mcp_settings.json#files': unset('NOT_SET'),
  'roo/project.json#files': noWorkspace,
  'continue/mcp.json#memory': expect.objectContaining({ env: { KEY: 'value-of-SHOP_TOKEN' } }),
  'mcphub/mcp_settings.json#fetch': expect.objectContaining({
    env: { USER_AGENT: 'north-bot', UNIX: '$REGION' },
  }),
  // PATH is inherited without being named.
  '1mcp/mcp.json#files': expect.objectContaining({
    env: { NODE_ENV: 'production', KEY: 'value-of-DOCS_KEY', URL: 'https://a.example/?x=1=2' },
  }),
  'mcp-hub/servers.json#orders': unset('RUNNER_NAME'),
  'mcporter/mcporter.json#orders': expect.objectContaining({
    headers: { Authorization: '$env:SHOP_TOKEN', 'X-Key': 'value-of-DOCS_KEY' },
  }),
  'mcporter/mcporter.json#joined': holdsArguments,
};

/** Filters of tools that stand outside of the block of servers. */
export const FILTERED_ELSEWHERE: readonly string[] = ['amazon-q/agent.json#stock'];

/** Values that mean a variable to their own host and text to toolsift, which says so. */
export const KEPT_AS_TEXT: readonly (readonly [file: string, warning: string])[] = [
  ['gemini/settings.json', 'server "orders": "headers.Authorization" keeps $SHOP_TOKEN as it is'],
  [
    'gemini/variables.json',
    'server "remote": "url" keeps $API_HOST as it is; for the variable write ${API_HOST}',
  ],
  ['gemini/extension.json', 'server "stock": "headers.Authorization" keeps $SHOP_TOKEN as it is'],
  ['mcphub/mcp_settings.json', 'server "fetch": "env.UNIX" keeps $REGION as it is'],
];

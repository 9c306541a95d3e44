/*
 * Keys that other clients write into the entries of their servers, each by name, so that a pasted block works
 * and nothing is dropped unnoticed.
 */

/** Keys that say what one of ours says. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['serverUrl', 'url'], // Windsurf
  ['httpUrl', 'url'], // Gemini CLI
  ['uri', 'url'], // Goose
  ['baseUrl', 'url'], // Cherry Studio
  ['http_headers', 'headers'], // Codex
  ['cmd', 'command'], // Goose
  ['environment', 'env'], // opencode
  ['envs', 'env'], // Goose
  ['transport', 'type'],
  ['transportType', 'type'], // Cline
  ['tool_timeout_sec', 'timeoutSeconds'], // Codex
]);

/** Keys that say the opposite of `disabled`. */
const ENABLING: ReadonlySet<string> = new Set(['enabled', 'isActive']);

const EVERY_TOOL = 'toolsift offers every tool of the server';

/** Keys without effect here. `null`: nothing is lost. Otherwise the reason, shown when the value asks for something. */
const IGNORED: ReadonlyMap<string, string | null> = new Map([
  // Names and texts for people.
  ...['description', 'title', 'name', 'displayName', 'icon', 'version', 'author', 'gallery', 'source'].map(
    quiet,
  ),
  // Approval stays with the client in front of toolsift, and so does its choice of what to defer.
  ...['autoApprove', 'alwaysAllow', 'trust', 'default_tools_approval_mode'].map(quiet),
  // Codex passes only named variables on; here the server has them all.
  ...['env_vars', 'supports_parallel_tool_calls'].map(quiet),
  // The unit differs from client to client.
  ['timeout', 'clients disagree on its unit; write "timeoutSeconds"'],
  ['startup_timeout_sec', 'a server has 60 seconds to start'],
  ['startup_timeout_ms', 'a server has 60 seconds to start'],
  ['initTimeout', 'a server has 60 seconds to start'],
  ['required', 'a server that fails never stops the others'],
  ['alwaysLoad', 'name the tools to show at all times in "pinned"'],
  ['disabledTools', EVERY_TOOL],
  ['disabled_tools', EVERY_TOOL],
  ['excludeTools', EVERY_TOOL],
  ['enabled_tools', EVERY_TOOL],
  ['includeTools', EVERY_TOOL],
  ['tools', EVERY_TOOL],
  ['envFile', 'toolsift reads no such file; put its variables into "env"'],
  ['bearer_token_env_var', `write "headers": {"Authorization": "Bearer \${NAME}"}`],
  ['env_http_headers', `write "headers": {"Header": "\${NAME}"}`],
  ['headersHelper', 'toolsift runs no helper; write "headers"'],
  ['auth', 'write "headers"'],
  ['oauth', 'write "headers"'],
  ['authProviderType', 'write "headers"'],
  ['sandbox', 'toolsift runs the server without a sandbox'],
  ['sandboxEnabled', 'toolsift runs the server without a sandbox'],
  ['dev', null],
  ['settings', 'they are for an extension of Zed'],
]);

export interface ForeignKey {
  readonly key: string;
  /** The key of ours that it stands for; none for those without effect. */
  readonly own: string | undefined;
}

export function foreignKeys(): ForeignKey[] {
  return [
    ...[...SPELLINGS].map(([key, own]) => ({ key, own })),
    ...[...ENABLING].map((key) => ({ key, own: 'disabled' })),
    ...[...IGNORED.keys()].map((key) => ({ key, own: undefined })),
  ];
}

export interface AdoptedEntry {
  /** The entry in our keys; keys nobody knows are still there. */
  readonly entry: Record<string, unknown>;
  readonly warnings: readonly string[];
  readonly faults: readonly string[];
}

export function adoptForeignKeys(raw: object): AdoptedEntry {
  const entry: Record<string, unknown> = Object.create(null);
  const writtenAs = new Map<string, string>();
  const warnings: string[] = [];
  const faults: string[] = [];

  const put = (key: string, own: string, value: unknown) => {
    const earlier = writtenAs.get(own);
    if (earlier !== undefined && !isSame(entry[own], value)) {
      faults.push(`"${earlier}" and "${key}" disagree; keep "${own}"`);
    }
    writtenAs.set(own, key);
    entry[own] = value;
  };

  for (const [key, value] of Object.entries(raw)) {
    if (IGNORED.has(key)) {
      const reason = IGNORED.get(key);
      if (reason && asksForSomething(value)) warnings.push(`"${key}" is ignored: ${reason}`);
    } else if (ENABLING.has(key)) {
      if (typeof value === 'boolean') put(key, 'disabled', !value);
      else faults.push(`"${key}" must be true or false`);
    } else {
      put(key, SPELLINGS.get(key) ?? key, value);
    }
  }
  // Gemini CLI tells Streamable HTTP from SSE by the key alone.
  if (writtenAs.get('url') === 'httpUrl' && !writtenAs.has('type')) entry.type = 'http';
  return { entry, warnings, faults };
}

function quiet(key: string): [string, null] {
  return [key, null];
}

function asksForSomething(value: unknown): boolean {
  if (value === null || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

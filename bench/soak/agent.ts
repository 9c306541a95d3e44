import type { SoakClient } from './soak-client.ts';
import type { SoakServer } from './soak-home.ts';

const WILD_KINDS = [
  'echo',
  'echo',
  'echo',
  'slow',
  'slow',
  'crash',
  'hang',
  'flood',
  'change',
  'leak',
  'extra',
];
const CALM_KINDS = ['echo', 'slow', 'flood', 'change'];
/** A calm server's call, its start included, on a machine that is busy. */
const CALM_LIMIT_MS = 20_000;
const SEARCH_LIMIT_MS = 5_000;

export interface Outcome {
  /** What came of it, e.g. `echo: right` or `crash: upstream_exited`. */
  readonly label: string;
  readonly tookMs: number;
  /** Why it is wrong; absent where it is right or a typed error. */
  readonly problem?: string;
}

interface ToolResult {
  readonly content?: readonly { readonly text?: string }[];
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
};

/** Calls a tool of the server at random and judges the answer. */
export async function invokeSomething(
  client: SoakClient,
  { name, isCalm }: SoakServer,
  n: number,
): Promise<Outcome> {
  const kind = pick(isCalm ? CALM_KINDS : WILD_KINDS);
  const startedAt = performance.now();
  const args = { server: name, name: `${kind}_${name}`, arguments: { n } };
  const { result, error } = await client.callTool('invoke_tool', args);
  const tookMs = performance.now() - startedAt;
  const { content, _meta } = (result ?? {}) as ToolResult;
  const code = _meta?.['toolsift/error'];
  const text = content?.[0]?.text ?? '';
  const isRight = text === `${kind} ${name} ${n}`;
  const isRefusal = kind === 'extra' && error?.code === -32602;
  const label = `${kind}: ${isRight ? 'right' : isRefusal ? 'refused by the server' : String(code)}`;
  const said = `${kind} of ${name}: ${JSON.stringify(result ?? error).slice(0, 300)}`;
  if (!isRight && !isRefusal && typeof code !== 'string')
    return { label, tookMs, problem: `wrong answer, ${said}` };
  if (isCalm && !isRight) return { label, tookMs, problem: `a good server suffers, ${said}` };
  if (isCalm && tookMs > CALM_LIMIT_MS) return { label, tookMs, problem: `a good server is slow, ${said}` };
  return { label, tookMs };
}

/** Searches for a tool by its name, which must be the first hit. */
export async function searchSomething(client: SoakClient, { name }: SoakServer): Promise<Outcome> {
  const wanted = `${pick(['echo', 'slow', 'flood', 'change'])}_${name}`;
  const startedAt = performance.now();
  const { result } = await client.callTool('search_tools', { query: wanted });
  const tookMs = performance.now() - startedAt;
  const text = ((result ?? {}) as ToolResult).content?.[0]?.text ?? '{}';
  const { tools } = JSON.parse(text) as { tools?: readonly { server?: string; name?: string }[] };
  const isRight = tools?.[0]?.server === name && tools[0].name === wanted;
  if (!isRight)
    return { label: 'search: wrong', tookMs, problem: `search for ${wanted}: ${text.slice(0, 300)}` };
  if (tookMs > SEARCH_LIMIT_MS)
    return { label: 'search: slow', tookMs, problem: `a search took ${tookMs} ms` };
  return { label: 'search: right', tookMs };
}

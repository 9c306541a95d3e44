import { ToolsiftError } from '../../errors.ts';
import { memberOf } from '../../json/members.ts';
import { isArrayAt, scanArray } from '../../json/scan.ts';
import { membersIn, textOf, valueAt } from '../../jsonrpc/frame.ts';
import type { Peer } from '../../jsonrpc/peer.ts';

/** More pages than any real list has; a server that never stops paging is cut off here. */
const MAX_PAGES = 1000;

/**
 * All items of a paginated list, each as the JSON text the upstream wrote. Stops at a repeated cursor and at a cap.
 *
 * @param method e.g. `tools/list`
 * @param key the member of the result that holds the items, e.g. `tools`
 * @throws ToolsiftError when the upstream answers with an error or ends
 */
export async function listAll(
  peer: Peer,
  method: string,
  key: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const items: string[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? undefined : `{"cursor":${cursor}}`;
    const answer = await peer.request(method, params, signal);
    if (answer.result === undefined) throw listError(method, valueAt(answer, 'error'));
    const members = membersIn(answer, 'result');
    const list = memberOf(members, key);
    if (list !== undefined && isArrayAt(answer.bytes, list.start)) {
      for (const span of scanArray(answer.bytes, list.start).elements) items.push(textOf(answer, span));
    }
    const next = memberOf(members, 'nextCursor');
    cursor = next === undefined ? undefined : textOf(answer, next);
    if (cursor === undefined || cursor === 'null' || cursor === '""' || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return items;
}

function listError(method: string, error: unknown): ToolsiftError {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return new ToolsiftError(
    'upstream_invalid_message',
    `answered ${method} with error ${String(code)}: ${String(message)}`,
    { facts: typeof code === 'number' ? { rpcCode: code } : {} },
  );
}

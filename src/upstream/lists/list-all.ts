import { setImmediate as nextTurn } from 'node:timers/promises';
import { ToolsiftError } from '../../errors.ts';
import { memberOf } from '../../json/members.ts';
import { elementsOf, isArrayAt, type Span } from '../../json/scan.ts';
import { membersIn, type ResponseFrame, textOf, valueAt } from '../../jsonrpc/frame.ts';
import type { Peer } from '../../jsonrpc/peer.ts';
import type { ListBudget } from './list-budget.ts';

/** More pages than any real list has; a server that never stops paging is cut off here. */
const MAX_PAGES = 1000;

/** Reading goes on for so long before everything else has its turn. */
const SLICE_MS = 4;

export interface ListReading {
  readonly signal?: AbortSignal | undefined;
  readonly budget: ListBudget;
}

/**
 * All items of a paginated list, each as the JSON text the upstream wrote. Stops at a repeated cursor and at a cap.
 *
 * @param method e.g. `tools/list`
 * @param key the member of the result that holds the items, e.g. `tools`
 * @throws ToolsiftError when the upstream answers with an error or ends, or the budget does not suffice
 */
export async function listAll(
  peer: Peer,
  method: string,
  key: string,
  { signal, budget }: ListReading,
): Promise<string[]> {
  const items: string[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? undefined : `{"cursor":${cursor}}`;
    const answer = await peer.request(method, params, signal);
    if (answer.result === undefined) throw listError(method, valueAt(answer, 'error'));
    budget.takePage(answer.result.end - answer.result.start);
    const members = membersIn(answer, 'result');
    await readItems(answer, memberOf(members, key), (item) => {
      budget.takeItem();
      items.push(item);
    });
    const next = memberOf(members, 'nextCursor');
    cursor = next === undefined ? undefined : textOf(answer, next);
    if (cursor === undefined || cursor === 'null' || cursor === '""' || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return items;
}

/** Hands out the items of one page, in slices of time. */
async function readItems(
  answer: ResponseFrame,
  list: Span | undefined,
  onitem: (item: string) => void,
): Promise<void> {
  if (list === undefined || !isArrayAt(answer.bytes, list.start)) return;
  let sliceEnd = performance.now() + SLICE_MS;
  for (const span of elementsOf(answer.bytes, list.start)) {
    onitem(textOf(answer, span));
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + SLICE_MS;
  }
}

function listError(method: string, error: unknown): ToolsiftError {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return new ToolsiftError(
    'upstream_invalid_message',
    `answered ${method} with error ${String(code)}: ${String(message)}`,
    { facts: typeof code === 'number' ? { rpcCode: code } : {} },
  );
}

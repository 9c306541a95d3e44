import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type LabelledQuery, type ListedTool, type QuerySet, readLines } from './sets.ts';

/** A request to a setup of several servers, labelled by reading. */
export interface LabelledRequest extends LabelledQuery {
  readonly style: string;
  /** No tool of the setup does it. */
  readonly none: boolean;
}

/** The servers that somebody would have, with what was asked of them. */
export interface Setup extends QuerySet {
  readonly queries: readonly LabelledRequest[];
}

interface Row {
  readonly setup: string;
  readonly style: string;
  readonly query: string;
  readonly tools: readonly (readonly [server: string, name: string, grade: number])[];
  readonly none?: boolean;
}

export const STYLES = ['agent', 'user', 'keywords', 'indirect', 'typo', 'other'] as const;

/** The setups of given requests, or none where they are not laid out. */
export function readGivenRequests(folder: string, catalog: readonly ListedTool[]): Setup[] {
  const requests = path.join(folder, 'requests', 'requests.jsonl');
  if (!existsSync(requests)) return [];
  return readSetups(requests, path.join(folder, 'requests', 'setups.json'), catalog);
}

/** Requests of our own, written from the names of servers alone by somebody who had not seen the tools. */
export function readOwnRequests(catalog: readonly ListedTool[]): Setup[] {
  return readSetups('bench/retrieval/requests.jsonl', 'bench/retrieval/request-setups.json', catalog);
}

function readSetups(requests: string, setups: string, catalog: readonly ListedTool[]): Setup[] {
  const rows = readLines<Row>(requests);
  const servers = JSON.parse(readFileSync(setups, 'utf8')) as Record<string, string[]>;
  return Object.entries(servers).map(([name, listed]) => ({
    name,
    tools: catalog.filter(({ server }) => listed.includes(server)),
    queries: rows.filter(({ setup }) => setup === name).map(toRequest),
  }));
}

function toRequest({ style, query, tools, none = false }: Row): LabelledRequest {
  const relevant = tools.map(([server, name, grade]) => ({ server, name, grade }));
  return { query, style, none, any: true, relevant };
}

/** Whether a tool of the setup does what is asked, so that finding it can be measured. */
export function isMeasured({ none, relevant }: LabelledRequest): boolean {
  return !none && relevant.some(({ grade }) => grade === 2);
}

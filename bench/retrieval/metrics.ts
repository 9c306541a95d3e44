import type { ToolKey } from '../../src/search/index/collection.ts';
import { idOf } from '../../src/search/rank/exact-first.ts';
import type { LabelledQuery } from './sets.ts';

export interface Metrics {
  r1: number;
  r5: number;
  r10: number;
  mrr: number;
  ndcg5: number;
}

/** R@k, MRR and nDCG@5 of one ranked list, as defined in the sets' README. */
export function measure(query: LabelledQuery, ranked: readonly ToolKey[]): Metrics {
  const grades = new Map(query.relevant.map((tool) => [idOf(tool), tool.grade ?? 2]));
  const right = query.relevant.filter((tool) => (tool.grade ?? 2) === 2).length;
  const needs = query.any === true ? 1 : right;
  const recall = (k: number) => {
    const found = ranked.slice(0, k).filter((tool) => grades.get(idOf(tool)) === 2).length;
    return Math.min(found, needs) / Math.min(k, needs);
  };
  const first = ranked.slice(0, 10).findIndex((tool) => grades.get(idOf(tool)) === 2);
  return {
    r1: recall(1),
    r5: recall(5),
    r10: recall(10),
    mrr: first === -1 ? 0 : 1 / (first + 1),
    ndcg5: ndcg(query, ranked, grades, needs),
  };
}

function ndcg(
  query: LabelledQuery,
  ranked: readonly ToolKey[],
  grades: ReadonlyMap<string, number>,
  needs: number,
): number {
  let gain = 0;
  let met = 0;
  ranked.slice(0, 5).forEach((tool, place) => {
    const grade = grades.get(idOf(tool)) ?? 0;
    if (grade === 0 || (query.any === true && met >= 1)) return;
    met++;
    gain += grade / 2 / Math.log2(place + 2);
  });
  let ideal = 0;
  for (let place = 0; place < Math.min(5, needs); place++) ideal += 1 / Math.log2(place + 2);
  return ideal === 0 ? 0 : Math.min(1, gain / ideal);
}

export function meanOf(all: readonly Metrics[]): Metrics {
  const mean: Metrics = { r1: 0, r5: 0, r10: 0, mrr: 0, ndcg5: 0 };
  for (const metrics of all) {
    for (const key of ['r1', 'r5', 'r10', 'mrr', 'ndcg5'] as const) mean[key] += metrics[key] / all.length;
  }
  return mean;
}

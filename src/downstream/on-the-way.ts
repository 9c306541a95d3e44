import type { Catalog } from '../catalog/catalog.ts';
import type { UpstreamView } from './upstream-view.ts';

/** States in which the lists of a server may still turn up within moments. */
const STATES: ReadonlySet<string> = new Set(['idle', 'starting', 'ready']);

/** Whether a server nobody has seen yet may tell within moments what it offers. */
export function isOnTheWay(upstream: UpstreamView | undefined, catalog: Catalog): boolean {
  return (
    upstream !== undefined &&
    catalog.upstream(upstream.name) === undefined &&
    STATES.has(upstream.status.state)
  );
}

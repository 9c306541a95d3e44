import type { Catalog } from '../catalog/catalog.ts';
import type { Unavailable } from '../search/answer/answer-input.ts';
import { fixFor } from './state-fix.ts';
import type { UpstreamViews } from './upstream-view.ts';

interface UnsearchedOptions {
  readonly upstreams: UpstreamViews;
  readonly catalog: Catalog;
  /** Why nothing of what is configured runs, which no advice about a single server can change. */
  readonly notice?: string | undefined;
}

/** The servers whose tools are not known, so that no search can find them. Switched-off servers do not count. */
export function unsearched({ upstreams, catalog, notice }: UnsearchedOptions): Unavailable[] {
  const found: Unavailable[] = [];
  for (const { name, status } of upstreams.values()) {
    if (status.state === 'disabled' || catalog.upstream(name) !== undefined) continue;
    const reason = status.reason ?? 'its tools are not known yet';
    const fix = fixFor({ name, status, hasTools: false }) ?? 'try again in a few seconds';
    found.push({ server: name, state: status.state, reason, ...(notice === undefined ? { fix } : {}) });
  }
  return found;
}

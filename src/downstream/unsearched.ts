import type { Catalog } from '../catalog/catalog.ts';
import type { Unavailable } from '../search/answer/answer-input.ts';
import { fixFor } from './state-fix.ts';
import type { UpstreamViews } from './upstream-view.ts';

/** The servers whose tools are not known, so that no search can find them. Switched-off servers do not count. */
export function unsearched(upstreams: UpstreamViews, catalog: Catalog): Unavailable[] {
  const found: Unavailable[] = [];
  for (const { name, status } of upstreams.values()) {
    if (status.state === 'disabled' || catalog.upstream(name) !== undefined) continue;
    found.push({
      server: name,
      state: status.state,
      reason: status.reason ?? 'its tools are not known yet',
      fix: fixFor({ name, status, hasTools: false }) ?? 'try again in a few seconds',
    });
  }
  return found;
}

import type { Catalog } from '../catalog/catalog.ts';
import type { Unavailable } from '../search/answer-input.ts';
import type { UpstreamViews } from './upstream-view.ts';

/** What to do about a state, where its reason does not say so. */
const FIXES: ReadonlyMap<string, string> = new Map([
  ['idle', 'it starts with the first call'],
  ['starting', 'search again in a few seconds'],
  ['ready', 'search again in a few seconds'],
  ['backoff', 'it is started again by itself; search again later'],
  ['failed', 'correct its entry in toolsift.json, or invoke one of its tools to try again'],
]);

/** The servers whose tools are not known, so that no search can find them. Switched-off servers do not count. */
export function unsearched(upstreams: UpstreamViews, catalog: Catalog): Unavailable[] {
  const found: Unavailable[] = [];
  for (const { name, status } of upstreams.values()) {
    if (status.state === 'disabled' || catalog.upstream(name) !== undefined) continue;
    found.push({
      server: name,
      state: status.state,
      reason: status.reason ?? 'its tools are not known yet',
      fix: FIXES.get(status.state),
    });
  }
  return found;
}

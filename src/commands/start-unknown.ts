import type { ToolProxy } from '../proxy/proxy.ts';
import type { SessionUpstream } from '../proxy/session-upstream.ts';
import { PARALLEL_STARTS } from '../proxy/upstream-set.ts';
import { showProgress } from './progress.ts';

/** Starts every server whose tools are not known and waits until each has been listed or has failed. */
export async function startUnknown(proxy: ToolProxy): Promise<void> {
  const { own } = proxy;
  own.load();
  const unknown = [...own.upstreams.values()].filter(({ name }) => own.catalog.upstream(name) === undefined);
  const waiting = new Set(unknown.map(({ name }) => name));
  const progress = showProgress(
    () => `starting ${waiting.size} of ${unknown.length} servers: ${[...waiting].join(', ')}`,
  );
  await startAll(unknown, async (upstream) => {
    // What went wrong shows in its state.
    await upstream.refresh().catch(() => {});
    waiting.delete(upstream.name);
    progress.update();
  });
  progress.end();
}

/** Runs a start for each, some side by side. */
async function startAll(
  upstreams: readonly SessionUpstream[],
  start: (upstream: SessionUpstream) => Promise<void>,
): Promise<void> {
  const waiting = [...upstreams];
  const startNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await start(next);
  };
  await Promise.all(Array.from({ length: PARALLEL_STARTS }, startNext));
}

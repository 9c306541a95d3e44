import type { ToolProxy } from '../proxy.ts';
import { showProgress } from './progress.ts';

/** Starts every server whose tools are not known and waits until each has been listed or has failed. */
export async function settle(proxy: ToolProxy): Promise<void> {
  proxy.prepare();
  const unknown = [...proxy.upstreams.values()].filter(
    ({ name }) => proxy.catalog.upstream(name) === undefined,
  );
  const waiting = new Set(unknown.map(({ name }) => name));
  const progress = showProgress(
    () => `starting ${waiting.size} of ${unknown.length} servers: ${[...waiting].join(', ')}`,
  );
  await Promise.all(
    unknown.map(async (upstream) => {
      // What went wrong shows in its state.
      await upstream.refresh().catch(() => {});
      waiting.delete(upstream.name);
      progress.update();
    }),
  );
  progress.end();
}

import type { ToolProxy } from '../proxy.ts';
import { showProgress } from './progress.ts';

/** Starts every server and waits until each has been listed or has failed. */
export async function settle(proxy: ToolProxy): Promise<void> {
  const waiting = new Set(proxy.upstreams.keys());
  const total = waiting.size;
  const progress = showProgress(
    () => `starting ${waiting.size} of ${total} servers: ${[...waiting].join(', ')}`,
  );
  await Promise.all(
    [...proxy.upstreams.values()].map(async (upstream) => {
      // What went wrong shows in its state.
      await upstream.connect().then(
        () => upstream.listsSettled(),
        () => {},
      );
      waiting.delete(upstream.name);
      progress.update();
    }),
  );
  progress.end();
}

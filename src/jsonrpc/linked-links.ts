import { type Chunk, joinChunks } from '../json/splice.ts';
import { readFrames } from './frame.ts';
import type { Link } from './link.ts';

/** One end of a conversation within this process. */
class LinkedLink implements Link {
  onframe: Link['onframe'] = () => {};
  onfault: Link['onfault'] = () => {};
  onclose: Link['onclose'] = () => {};
  other: LinkedLink | undefined;
  #isClosed = false;

  async start(): Promise<void> {}

  send(message: readonly Chunk[]): void {
    const { other } = this;
    if (this.#isClosed || other === undefined) return;
    const bytes = joinChunks(message);
    // As over a stream, what is sent arrives later, never inside the sender's own call.
    queueMicrotask(() => {
      for (const frame of readFrames(bytes)) other.onframe(frame);
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    const ends = [this, this.other];
    for (const end of ends) if (end !== undefined) end.#isClosed = true;
    const reason = new Error('the link was closed');
    queueMicrotask(() => {
      for (const end of ends) end?.onclose(reason);
    });
  }
}

/** Two links joined to each other: what is sent into one arrives at the other. */
export function createLinkedLinks(): [Link, Link] {
  const [one, two] = [new LinkedLink(), new LinkedLink()];
  one.other = two;
  two.other = one;
  return [one, two];
}

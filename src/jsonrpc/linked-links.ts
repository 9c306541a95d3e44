import { type Chunk, joinChunks } from '../json/splice.ts';
import { type Frame, readFrames } from './frame.ts';
import type { Link, LinkHandlers } from './link.ts';
import type { About } from './message.ts';
import { rewrittenFrame } from './rewritten-frame.ts';

/** One end of a conversation within this process. */
class LinkedLink implements Link {
  other: LinkedLink | undefined;
  #handlers: LinkHandlers | undefined;
  /** What came before it was started. */
  #early: ((handlers: LinkHandlers) => void)[] = [];
  #isClosed = false;

  async start(handlers: LinkHandlers): Promise<void> {
    this.#handlers = handlers;
    const early = this.#early;
    this.#early = [];
    for (const tell of early) tell(handlers);
  }

  send(message: readonly Chunk[], { source }: About): void {
    const { other } = this;
    if (this.#isClosed || other === undefined) return;
    const bytes = joinChunks(message);
    // As over a stream, what is sent arrives later, never inside the sender's own call.
    queueMicrotask(() => {
      const frame: Frame | undefined =
        source === undefined ? readFrames(bytes)[0] : rewrittenFrame(source, bytes);
      if (frame !== undefined) other.#tell(({ onframe }) => onframe(frame));
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    const ends = [this, this.other].filter((end) => end !== undefined);
    for (const end of ends) end.#isClosed = true;
    const reason = new Error('the link was closed');
    queueMicrotask(() => {
      for (const end of ends) end.#tell(({ onclose }) => onclose(reason));
    });
  }

  #tell(tell: (handlers: LinkHandlers) => void): void {
    if (this.#handlers === undefined) this.#early.push(tell);
    else tell(this.#handlers);
  }
}

/** Two links joined to each other: what is sent into one arrives at the other. */
export function createLinkedLinks(): [Link, Link] {
  const [one, two] = [new LinkedLink(), new LinkedLink()];
  one.other = two;
  two.other = one;
  return [one, two];
}

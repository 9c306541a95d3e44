import { ToolsiftError } from '../../errors.ts';
import type { Chunk } from '../../json/splice.ts';
import type { Frame } from '../../jsonrpc/frame.ts';
import type { Link, LinkHandlers } from '../../jsonrpc/link.ts';
import type { About } from '../../jsonrpc/message.ts';
import { type OwnerState, readControl } from './control.ts';

/** `silent`: nothing heard yet. */
export type OwnerLinkState = 'silent' | OwnerState | 'closed';

/** A process's end of its conversation with the owner: the server's frames, without what the owner itself says. */
export class OwnerLink implements Link {
  onstate: () => void = () => {};
  readonly #link: Link;
  #handlers: LinkHandlers | undefined;
  #state: OwnerLinkState = 'silent';
  #ownerPid: number | undefined;
  #closeReason: Error | undefined;

  constructor(link: Link) {
    this.#link = link;
  }

  get state(): OwnerLinkState {
    return this.#state;
  }

  /** Why it is closed; undefined while it is not. */
  get closeReason(): Error | undefined {
    return this.#closeReason;
  }

  /** Hears what the owner is. The server's own messages come only once the link is started. */
  listen(): Promise<void> {
    return this.#link.start({
      onframe: (frame) => this.#receive(frame),
      onfault: (fault) => this.#handlers?.onfault(fault),
      onclose: () => this.#finish(ownerEnded(this.#ownerPid)),
    });
  }

  /** For a link that listens. @throws why it is closed, where it is */
  async start(handlers: LinkHandlers): Promise<void> {
    if (this.#closeReason !== undefined) throw this.#closeReason;
    this.#handlers = handlers;
  }

  send(message: readonly Chunk[], about: About): void {
    if (this.#closeReason === undefined) this.#link.send(message, about);
  }

  async close(): Promise<void> {
    this.#finish(new Error('the link was closed'));
    await this.#link.close();
  }

  #receive(frame: Frame): void {
    if (this.#closeReason !== undefined) return;
    const control = readControl(frame);
    if (control === undefined) this.#handlers?.onframe(frame);
    else if (control.kind === 'lost') this.#handlers?.onfault(control);
    else if (control.kind === 'closed') this.#finish(control.error);
    else {
      this.#ownerPid = control.pid;
      this.#enter(control.state);
    }
  }

  #finish(reason: Error): void {
    if (this.#closeReason !== undefined) return;
    this.#closeReason = reason;
    this.#enter('closed');
    this.#handlers?.onclose(reason);
  }

  #enter(state: OwnerLinkState): void {
    this.#state = state;
    this.onstate();
  }
}

/** Resolves when the state of one of the links changes, or when the time is up. */
export async function anyChanged(links: readonly OwnerLink[], limitMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      for (const link of links) link.onstate = () => {};
      resolve();
    };
    const timer = setTimeout(done, limitMs);
    for (const link of links) link.onstate = done;
  });
}

export function ownerEnded(pid: number | undefined): ToolsiftError {
  const who = pid === undefined ? '' : ` (pid ${pid})`;
  return new ToolsiftError(
    'upstream_exited',
    `the toolsift process${who} that ran this shared server ended, and the server with it`,
  );
}

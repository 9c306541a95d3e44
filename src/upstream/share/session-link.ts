import { ToolsiftError } from '../../errors.ts';
import type { Chunk } from '../../json/splice.ts';
import type { Frame } from '../../jsonrpc/frame.ts';
import type { Link } from '../../jsonrpc/link.ts';
import { type OwnerState, readControl } from './control.ts';

/** `silent`: nothing heard yet. */
export type SessionState = 'silent' | OwnerState | 'closed';

/** A session's end of its conversation with the owner: the server's frames, without what the owner itself says. */
export class SessionLink implements Link {
  onframe: Link['onframe'] = () => {};
  onfault: Link['onfault'] = () => {};
  onclose: Link['onclose'] = () => {};
  onstate: () => void = () => {};
  readonly #link: Link;
  #state: SessionState = 'silent';
  #ownerPid: number | undefined;
  #closeReason: Error | undefined;

  constructor(link: Link) {
    this.#link = link;
    link.onframe = (frame) => this.#receive(frame);
    link.onfault = (fault) => this.onfault(fault);
    link.onclose = () => this.#finish(ownerEnded(this.#ownerPid));
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Why it is closed; undefined while it is not. */
  get closeReason(): Error | undefined {
    return this.#closeReason;
  }

  start(): Promise<void> {
    return this.#link.start();
  }

  send(message: readonly Chunk[]): void {
    if (this.#closeReason === undefined) this.#link.send(message);
  }

  async close(): Promise<void> {
    this.#finish(new Error('the link was closed'));
    await this.#link.close();
  }

  #receive(frame: Frame): void {
    if (this.#closeReason !== undefined) return;
    const control = readControl(frame);
    if (control === undefined) this.onframe(frame);
    else if (control.kind === 'lost') this.onfault(control);
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
    this.onclose(reason);
  }

  #enter(state: SessionState): void {
    this.#state = state;
    this.onstate();
  }
}

/** Resolves when the state of one of the links changes, or when the time is up. */
export async function anyChanged(links: readonly SessionLink[], limitMs: number): Promise<void> {
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

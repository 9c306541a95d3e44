import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Door } from './door.ts';
import { type Finding, undecided } from './finding.ts';
import { isAlive, knock } from './knock.ts';
import { anyChanged, type OwnerLink } from './owner-link.ts';
import { listSockets, newSocketName, pidOf, socketPath } from './socket-name.ts';

/**
 * Leader election over a folder of IPC sockets: which process runs the server, where sockets are files that outlive a
 * killed process, and stale ones lie about.
 *
 * One well-known file will not do: whoever finds it dead removes it and makes its own, and two that do so at once
 * remove each other's. So every candidate has a file of its own, under a name that is never used again, which anybody
 * may remove once nobody listens on it. A candidate shows its file, then asks all others what they are, and takes
 * over only if a last look into the folder, in one step with the decision, shows nobody it has not asked, no owner
 * and no older candidate. Of two candidates the one that looks last sees the other, so never do both take over.
 */
export async function electByFiles(folder: string, prefix: string, limitMs: number): Promise<Finding> {
  const candidacy = new Candidacy(folder, prefix);
  const end = performance.now() + limitMs;
  let finding: Finding | undefined;
  try {
    while (finding === undefined) {
      const remainingMs = end - performance.now();
      if (remainingMs <= 0) throw undecided();
      finding = await candidacy.proceed(remainingMs);
    }
    return finding;
  } finally {
    candidacy.end(finding);
  }
}

class Candidacy {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #others = new Map<string, OwnerLink>();
  #own: { readonly name: string; readonly door: Door } | undefined;

  constructor(folder: string, prefix: string) {
    this.#folder = folder;
    this.#prefix = prefix;
  }

  /** Makes one step; undefined when another one is needed. */
  async proceed(limitMs: number): Promise<Finding | undefined> {
    for (const [name, link] of this.#others) {
      if (link.state === 'open') return { kind: 'other', link };
      if (link.state === 'closed') this.#others.delete(name);
    }
    const own = this.#own;
    const names = listSockets(this.#folder, this.#prefix).filter((name) => name !== own?.name);
    const unasked = names.filter((name) => !this.#others.has(name));
    if (unasked.length > 0) {
      await this.#ask(unasked);
      return undefined;
    }
    if (own === undefined) {
      await this.#show();
      return undefined;
    }
    const ahead = [...this.#others].filter(([name, { state }]) => name < own.name || state === 'busy');
    if (ahead.length === 0) {
      own.door.declare('busy');
      return { kind: 'self', door: own.door };
    }
    await anyChanged(
      ahead.map(([, link]) => link),
      limitMs,
    );
    return undefined;
  }

  /** Leaves nothing but what was found. */
  end(finding: Finding | undefined): void {
    this.#leave(finding?.kind === 'other' ? finding.link : undefined);
    // Its file is gone at once, and whoever waits at the door looks on.
    if (finding?.kind !== 'self') void this.#own?.door.close();
  }

  async #ask(names: readonly string[]): Promise<void> {
    const asked = await Promise.allSettled(
      names.map(async (name) => {
        const path = socketPath(this.#folder, name);
        const link = await knock(path, pidOf(name));
        if (link === undefined) rmSync(path, { force: true });
        else this.#others.set(name, link);
      }),
    );
    const failed = asked.find((outcome) => outcome.status === 'rejected');
    const isOwned = [...this.#others.values()].some(({ state }) => state === 'open');
    if (failed !== undefined && !isOwned) throw failed.reason;
  }

  async #show(): Promise<void> {
    const name = newSocketName(this.#prefix);
    this.#own = { name, door: await Door.atFile(this.#folder, name) };
    removeUnnamed(this.#folder, this.#prefix);
    // What was asked before may have decided without seeing us; it is asked again.
    this.#leave(undefined);
  }

  #leave(kept: OwnerLink | undefined): void {
    // Closing is bounded, and nothing depends on when it is done.
    for (const link of this.#others.values()) if (link !== kept) void link.close();
    this.#others.clear();
  }
}

/** Removes what killed processes have left. */
export async function removeRemains(folder: string, prefix: string): Promise<void> {
  for (const name of listSockets(folder, prefix)) {
    const path = socketPath(folder, name);
    let link = await knock(path, pidOf(name));
    // A process that is being killed may still take a connection, only to drop it.
    while (link?.state === 'closed') link = await knock(path, pidOf(name));
    if (link === undefined) rmSync(path, { force: true });
    else await link.close();
  }
  removeUnnamed(folder, prefix);
}

/** Those that were killed before their file got its name. */
function removeUnnamed(folder: string, prefix: string): void {
  for (const name of listSockets(folder, `.${prefix}`)) {
    if (!isAlive(pidOf(name))) rmSync(join(folder, name), { force: true });
  }
}

import type { CatalogChange } from '../../catalog/catalog.ts';
import { PROMPTS_LIST_CHANGED, RESOURCES_LIST_CHANGED, TOOLS_LIST_CHANGED } from '../../mcp/list-changed.ts';
import { isOnTheWay } from '../on-the-way.ts';
import { AdvertisedTools, type AdvertisedToolsOptions } from './advertised-tools.ts';
import { ChangeSignal } from './change-signal.ts';
import type { Owners } from './owners.ts';
import { PromptDirectory } from './prompt-directory.ts';
import { ResourceDirectory } from './resource-directory.ts';

/** Changes that come in a burst, as when servers start together, are announced once. */
const ANNOUNCE_AFTER_MS = 50;

export interface AdvertisedListsOptions extends AdvertisedToolsOptions {
  /** The servers of resources that answers have linked to. */
  readonly links: Owners;
  /** How long a list waits for servers that are still starting. */
  readonly listWaitMs: () => number;
  /** Sends a notification to the client. */
  readonly announce: (method: string) => void;
  /** Pins that stand for no tool of any server that could still come. */
  readonly onunmatched: (pins: readonly string[]) => void;
  /** Pins without a server that stand for tools of several. */
  readonly onambiguous: (pins: readonly string[]) => void;
}

/** A list as the client last knew it: from our first answer, from reading it, or from being told of a change. */
interface KnownList {
  readonly method: string;
  readonly textNow: () => string;
  known: string;
}

/**
 * The lists the client sees, all derived from the catalog. A list is announced as changed when, and only when, it
 * differs from what the client knows.
 */
export class AdvertisedLists {
  readonly tools: AdvertisedTools;
  readonly resources: ResourceDirectory;
  readonly prompts: PromptDirectory;
  readonly #options: AdvertisedListsOptions;
  readonly #changes = new ChangeSignal();
  readonly #known: readonly KnownList[];
  readonly #reportedPins = { unmatched: '', ambiguous: '' };
  #isAnnouncing = false;

  constructor(options: AdvertisedListsOptions) {
    this.#options = options;
    this.tools = new AdvertisedTools(options);
    this.resources = new ResourceDirectory(options);
    this.prompts = new PromptDirectory(options.catalog, options.upstreams);
    const list = (method: string, textNow: () => string) => ({
      method,
      textNow,
      known: textNow(),
    });
    this.#known = [
      list(TOOLS_LIST_CHANGED, () => this.tools.list),
      list(RESOURCES_LIST_CHANGED, () => [...this.resources.resources, ...this.resources.templates].join()),
      list(PROMPTS_LIST_CHANGED, () => this.prompts.prompts.join()),
    ];
  }

  /** The `tools` of `tools/list`; waits a little for pinned tools whose servers are on their way. */
  async listTools(): Promise<string> {
    await this.#changes.until(() => !this.tools.isIncomplete, this.#options.listWaitMs());
    const list = this.#known.find(({ method }) => method === TOOLS_LIST_CHANGED);
    if (list !== undefined) list.known = this.tools.list;
    this.tools.clientHasRead();
    return this.tools.list;
  }

  /** Waits a little for servers nobody has seen yet, whose resources and prompts are therefore unknown. */
  async untilListed(): Promise<void> {
    await this.#changes.until(() => !this.#isServerOnTheWay(), this.#options.listWaitMs());
  }

  catalogChanged(change: CatalogChange): void {
    if (change.tools) this.tools.refresh();
    if (change.resources) this.resources.refresh();
    if (change.prompts) this.prompts.refresh();
    this.#changed();
  }

  /** Servers or pins are configured anew. */
  configChanged(): void {
    this.tools.refresh();
    this.resources.refresh();
    this.prompts.refresh();
    this.#changed();
  }

  statusChanged(): void {
    this.#changes.notify();
    this.#reportPins();
  }

  #changed(): void {
    this.#changes.notify();
    this.#announceSoon();
    this.#reportPins();
  }

  #reportPins(): void {
    if (this.tools.isIncomplete) return;
    const { unmatchedPins: unmatched, ambiguousPins: ambiguous } = this.tools;
    const reported = this.#reportedPins;
    if (unmatched.length > 0 && unmatched.join() !== reported.unmatched) this.#options.onunmatched(unmatched);
    if (ambiguous.length > 0 && ambiguous.join() !== reported.ambiguous) this.#options.onambiguous(ambiguous);
    reported.unmatched = unmatched.join();
    reported.ambiguous = ambiguous.join();
  }

  #isServerOnTheWay(): boolean {
    const { catalog, upstreams } = this.#options;
    return [...upstreams.values()].some((upstream) => isOnTheWay(upstream, catalog));
  }

  #announceSoon(): void {
    if (this.#isAnnouncing) return;
    this.#isAnnouncing = true;
    setTimeout(() => {
      this.#isAnnouncing = false;
      for (const list of this.#known) {
        const now = list.textNow();
        if (now !== list.known) this.#options.announce(list.method);
        list.known = now;
      }
    }, ANNOUNCE_AFTER_MS).unref();
  }
}

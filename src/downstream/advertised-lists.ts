import type { CatalogChange } from '../catalog/catalog.ts';
import { AdvertisedTools, type AdvertisedToolsOptions } from './advertised-tools.ts';
import { ChangeSignal } from './change-signal.ts';
import { PromptDirectory } from './prompt-directory.ts';
import { ResourceDirectory } from './resource-directory.ts';

/** Changes that come in a burst, as when servers start together, are announced once. */
const ANNOUNCE_AFTER_MS = 50;
/** States of servers whose lists may still turn up within moments. */
const ON_THE_WAY: ReadonlySet<string> = new Set(['idle', 'starting', 'ready']);

export interface AdvertisedListsOptions extends AdvertisedToolsOptions {
  /** How long a list waits for servers that are still starting. */
  readonly listWaitMs: () => number;
  /** Sends a notification to the client. */
  readonly announce: (method: string) => void;
  /** Pins that stand for no tool of any server that could still come. */
  readonly onunmatched: (pins: readonly string[]) => void;
}

/**
 * The lists the client sees, all derived from the catalog. A list the client has read is announced as changed
 * when, and only when, it has changed.
 */
export class AdvertisedLists {
  readonly tools: AdvertisedTools;
  readonly resources: ResourceDirectory;
  readonly prompts: PromptDirectory;
  readonly #options: AdvertisedListsOptions;
  readonly #changes = new ChangeSignal();
  readonly #unannounced = new Set<string>();
  #hasListedTools = false;
  #reportedPins = '';

  constructor(options: AdvertisedListsOptions) {
    this.#options = options;
    this.tools = new AdvertisedTools(options);
    this.resources = new ResourceDirectory(options.catalog, options.upstreams);
    this.prompts = new PromptDirectory(options.catalog, options.upstreams);
  }

  /** The `tools` of `tools/list`; waits a little for pinned tools whose servers are on their way. */
  async listTools(): Promise<string> {
    await this.#changes.until(() => !this.tools.isIncomplete, this.#options.listWaitMs());
    this.#hasListedTools = true;
    return this.tools.list;
  }

  /** Waits a little for servers nobody has seen yet, whose resources and prompts are therefore unknown. */
  async settled(): Promise<void> {
    await this.#changes.until(() => !this.#isServerOnTheWay(), this.#options.listWaitMs());
  }

  catalogChanged(change: CatalogChange): void {
    const haveToolsChanged = change.tools && this.tools.refresh();
    if (haveToolsChanged && this.#hasListedTools) this.#announce('notifications/tools/list_changed');
    if (change.resources && this.resources.refresh()) this.#announce('notifications/resources/list_changed');
    if (change.prompts && this.prompts.refresh()) this.#announce('notifications/prompts/list_changed');
    this.#changed();
  }

  /** Servers or pins are configured anew. */
  configChanged(): void {
    if (this.tools.refresh() && this.#hasListedTools) this.#announce('notifications/tools/list_changed');
    this.#changed();
  }

  statusChanged(): void {
    this.#changed();
  }

  #changed(): void {
    this.#changes.notify();
    if (this.tools.isIncomplete) return;
    const pins = this.tools.unmatchedPins;
    if (pins.length > 0 && pins.join() !== this.#reportedPins) this.#options.onunmatched(pins);
    this.#reportedPins = pins.join();
  }

  #isServerOnTheWay(): boolean {
    const { catalog, upstreams } = this.#options;
    return [...upstreams.values()].some(
      ({ name, status }) => catalog.upstream(name) === undefined && ON_THE_WAY.has(status.state),
    );
  }

  #announce(method: string): void {
    if (this.#unannounced.size === 0) {
      setTimeout(() => {
        for (const pending of this.#unannounced) this.#options.announce(pending);
        this.#unannounced.clear();
      }, ANNOUNCE_AFTER_MS).unref();
    }
    this.#unannounced.add(method);
  }
}

import type { Catalog } from '../../catalog/catalog.ts';
import { exposedNames, qualifiedName } from '../../catalog/exposed-name.ts';
import { stringMember, withMember } from '../../json/members.ts';
import type { UpstreamViews } from '../upstream-view.ts';

export interface ListedPrompt {
  readonly server: string;
  readonly name: string;
  /** Its entry in `prompts/list`, as the upstream wrote it. */
  readonly definition: string;
}

/** The prompts of all upstreams in one list: under their own name where it is unique, else `server__name`. */
export class PromptDirectory {
  readonly #catalog: Catalog;
  readonly #upstreams: UpstreamViews;
  #named: ReadonlyMap<string, ListedPrompt> | undefined;

  constructor(catalog: Catalog, upstreams: UpstreamViews) {
    this.#catalog = catalog;
    this.#upstreams = upstreams;
  }

  get prompts(): readonly string[] {
    return [...this.#read()].map(([name, prompt]) =>
      name === prompt.name ? prompt.definition : withMember(prompt.definition, 'name', name),
    );
  }

  find(name: string): ListedPrompt | undefined {
    const named = this.#read();
    return (
      named.get(name) ??
      [...named.values()].find((prompt) => qualifiedName(prompt.server, prompt.name) === name)
    );
  }

  /** Forgets what was derived; the catalog or the servers have changed. */
  refresh(): void {
    this.#named = undefined;
  }

  #read(): ReadonlyMap<string, ListedPrompt> {
    const servers = [...this.#upstreams.keys()];
    this.#named ??= exposedNames(
      servers.flatMap((server) => this.#promptsOf(server)),
      { servers },
    );
    return this.#named;
  }

  #promptsOf(server: string): ListedPrompt[] {
    const prompts = new Map<string, ListedPrompt>();
    for (const definition of this.#catalog.upstream(server)?.snapshot.prompts ?? []) {
      const name = stringMember(definition, 'name');
      if (name !== undefined && !prompts.has(name)) prompts.set(name, { server, name, definition });
    }
    return [...prompts.values()];
  }
}

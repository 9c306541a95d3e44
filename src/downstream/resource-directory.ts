import type { Catalog } from '../catalog/catalog.ts';
import { stringMember, withMember } from './renamed-item.ts';
import type { UpstreamViews } from './upstream-view.ts';
import { matchesTemplate } from './uri-template.ts';

/** Links remembered; older ones are forgotten first. */
const MAX_LINKS = 10_000;
const PREFIX = /^toolsift:([^:]+):(.+)$/s;

export interface ResourceOwner {
  readonly server: string;
  /** The URI as the owner knows it. */
  readonly uri: string;
}

interface Listing {
  readonly resources: readonly string[];
  readonly templates: readonly string[];
  readonly owners: ReadonlyMap<string, ResourceOwner>;
  readonly templateOwners: readonly { readonly template: string; readonly server: string }[];
}

/**
 * The resources of all upstreams in one list, and who owns a URI. URIs are kept as they are; where two servers
 * list the same one, the later in the configuration is shown as `toolsift:SERVER:URI`.
 */
export class ResourceDirectory {
  readonly #catalog: Catalog;
  readonly #upstreams: UpstreamViews;
  readonly #links = new Map<string, string>();
  #listing: Listing | undefined;

  constructor(catalog: Catalog, upstreams: UpstreamViews) {
    this.#catalog = catalog;
    this.#upstreams = upstreams;
  }

  get resources(): readonly string[] {
    return this.#read().resources;
  }

  get templates(): readonly string[] {
    return this.#read().templates;
  }

  /** Forgets what was derived from the catalog; tells whether the lists come out different now. */
  refresh(): boolean {
    const before = this.#listing;
    this.#listing = undefined;
    if (before === undefined) return false;
    const after = this.#read();
    return (
      before.resources.join() !== after.resources.join() || before.templates.join() !== after.templates.join()
    );
  }

  /** A tool of a server has named this resource, so it is that server's. */
  rememberLink(uri: string, server: string): void {
    this.#links.delete(uri);
    this.#links.set(uri, server);
    const oldest = this.#links.keys().next();
    if (this.#links.size > MAX_LINKS && !oldest.done) this.#links.delete(oldest.value);
  }

  /** The server a URI belongs to: by our prefix, by a link seen, by the lists, by the templates. */
  ownerOf(uri: string): ResourceOwner | undefined {
    const [, server, rest] = PREFIX.exec(uri) ?? [];
    const named = server === undefined ? undefined : this.#serverNamed(server);
    if (named !== undefined && rest !== undefined) return { server: named, uri: rest };
    const linked = this.#links.get(uri);
    if (linked !== undefined) return { server: linked, uri };
    const { owners, templateOwners } = this.#read();
    const listed = owners.get(uri);
    if (listed !== undefined) return listed;
    const match = templateOwners.find(({ template }) => matchesTemplate(template, uri));
    return match === undefined ? undefined : { server: match.server, uri };
  }

  /** The server a template belongs to, or a URI where it is none. */
  ownerOfTemplate(template: string): ResourceOwner | undefined {
    const owner = this.#read().templateOwners.find((other) => other.template === template);
    return owner === undefined ? this.ownerOf(template) : { server: owner.server, uri: template };
  }

  #serverNamed(encoded: string): string | undefined {
    return [...this.#upstreams.keys()].find((name) => encodeURIComponent(name) === encoded);
  }

  #read(): Listing {
    this.#listing ??= this.#derive();
    return this.#listing;
  }

  #derive(): Listing {
    const resources: string[] = [];
    const templates: string[] = [];
    const owners = new Map<string, ResourceOwner>();
    const templateOwners: { template: string; server: string }[] = [];
    for (const server of this.#upstreams.keys()) {
      const snapshot = this.#catalog.upstream(server)?.snapshot;
      for (const item of snapshot?.resources ?? []) {
        const uri = stringMember(item, 'uri');
        if (uri === undefined) continue;
        const shown = owners.has(uri) ? `toolsift:${encodeURIComponent(server)}:${uri}` : uri;
        if (owners.get(uri)?.server === server) continue;
        owners.set(shown, { server, uri });
        resources.push(shown === uri ? item : withMember(item, 'uri', shown));
      }
      for (const item of snapshot?.resourceTemplates ?? []) {
        const template = stringMember(item, 'uriTemplate');
        if (template === undefined) continue;
        const isTaken = templateOwners.some((other) => other.template === template);
        const shown = isTaken ? `toolsift:${encodeURIComponent(server)}:${template}` : template;
        templateOwners.push({ template, server });
        templates.push(shown === template ? item : withMember(item, 'uriTemplate', shown));
      }
    }
    return { resources, templates, owners, templateOwners };
  }
}

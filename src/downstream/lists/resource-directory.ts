import type { Catalog } from '../../catalog/catalog.ts';
import { stringMember, withMember } from '../../json/members.ts';
import type { UpstreamViews } from '../upstream-view.ts';
import type { Owners } from './owners.ts';
import { matchesTemplate } from './uri-template.ts';

const PREFIX = /^toolsift:([^:]+):(.+)$/s;
/** A template without a scheme of its own would claim every URI there is. */
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i;

export interface ResourceDirectoryOptions {
  readonly catalog: Catalog;
  readonly upstreams: UpstreamViews;
  /** The servers of resources that answers have linked to. */
  readonly links: Owners;
}

export interface ResourceOwner {
  readonly server: string;
  /** The URI as the owner knows it. */
  readonly uri: string;
}

interface Listing {
  readonly resources: readonly string[];
  readonly templates: readonly string[];
  readonly owners: ReadonlyMap<string, ResourceOwner>;
  /** The server of a template, by the template as it is shown. */
  readonly templateOwners: ReadonlyMap<string, string>;
}

/**
 * The resources of all upstreams in one list, and who owns a URI. URIs are kept as they are; where two servers
 * list the same one, the later in the configuration is shown as `toolsift:SERVER:URI`, and so is what looks like that.
 */
export class ResourceDirectory {
  readonly #catalog: Catalog;
  readonly #upstreams: UpstreamViews;
  readonly #links: Owners;
  #listing: Listing | undefined;

  constructor({ catalog, upstreams, links }: ResourceDirectoryOptions) {
    this.#catalog = catalog;
    this.#upstreams = upstreams;
    this.#links = links;
  }

  get resources(): readonly string[] {
    return this.#read().resources;
  }

  get templates(): readonly string[] {
    return this.#read().templates;
  }

  /** Forgets what was derived; the catalog or the servers have changed. */
  refresh(): void {
    this.#listing = undefined;
  }

  /**
   * A tool of a server has named this resource, so it is that server's, unless another lists it or named it before.
   *
   * @returns the server it belongs to, if that is another one
   */
  rememberLink(uri: string, server: string): string | undefined {
    const listed = this.#listedOwnerOf(uri);
    if (listed !== undefined) return listed.server === server ? undefined : listed.server;
    return this.#links.claim(uri, server, (owner) => this.#upstreams.has(owner));
  }

  /** The server a URI belongs to: by the lists, by our prefix, by the templates, by a link seen. */
  ownerOf(uri: string): ResourceOwner | undefined {
    const listed = this.#listedOwnerOf(uri);
    if (listed !== undefined) return listed;
    const linked = this.#links.ownerOf(uri);
    return linked !== undefined && this.#upstreams.has(linked) ? { server: linked, uri } : undefined;
  }

  /** The URI by which the client can read what a server calls so. */
  shownTo(server: string, uri: string): string {
    const owner = this.ownerOf(uri);
    return owner === undefined || (owner.server === server && owner.uri === uri)
      ? uri
      : prefixed(server, uri);
  }

  /** What a server lists wins over what another mentions. */
  #listedOwnerOf(uri: string): ResourceOwner | undefined {
    const { owners, templateOwners } = this.#read();
    const listed = owners.get(uri);
    if (listed !== undefined) return listed;
    const [, server, rest] = PREFIX.exec(uri) ?? [];
    const named = server === undefined ? undefined : this.#serverNamed(server);
    if (named !== undefined && rest !== undefined) return { server: named, uri: rest };
    const match = [...templateOwners].find(
      ([template]) => HAS_SCHEME.test(template) && matchesTemplate(template, uri),
    );
    return match === undefined ? undefined : { server: match[1], uri };
  }

  /** The server a template belongs to, or a URI where it is none. */
  ownerOfTemplate(template: string): ResourceOwner | undefined {
    const server = this.#read().templateOwners.get(template);
    if (server === undefined) return this.ownerOf(template);
    const own = PREFIX.exec(template);
    return {
      server,
      uri: own !== null && this.#serverNamed(own[1] ?? '') === server ? (own[2] ?? '') : template,
    };
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
    const templateOwners = new Map<string, string>();
    for (const server of this.#upstreams.keys()) {
      const snapshot = this.#catalog.upstream(server)?.snapshot;
      for (const [uri, item] of distinct(snapshot?.resources, 'uri')) {
        const shown = owners.has(uri) || PREFIX.test(uri) ? prefixed(server, uri) : uri;
        owners.set(shown, { server, uri });
        resources.push(shown === uri ? item : withMember(item, 'uri', shown));
      }
      for (const [template, item] of distinct(snapshot?.resourceTemplates, 'uriTemplate')) {
        const isTaken = templateOwners.has(template) || PREFIX.test(template);
        const shown = isTaken ? prefixed(server, template) : template;
        templateOwners.set(shown, server);
        templates.push(shown === template ? item : withMember(item, 'uriTemplate', shown));
      }
    }
    return { resources, templates, owners, templateOwners };
  }
}

function prefixed(server: string, uri: string): string {
  return `toolsift:${encodeURIComponent(server)}:${uri}`;
}

/** The items of a list by a string member; items without it are left out, of two alike the first stays. */
function distinct(items: readonly string[] = [], key: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const item of items) {
    const value = stringMember(item, key);
    if (value !== undefined && !found.has(value)) found.set(value, item);
  }
  return found;
}

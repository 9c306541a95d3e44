import type { Edit } from '../../json/splice.ts';
import { at, type NotificationFrame, parsePart, type ResponseFrame } from '../../jsonrpc/frame.ts';
import type { IncomingRequest } from '../../jsonrpc/incoming-request.ts';
import type { Peer } from '../../jsonrpc/peer.ts';
import { INVALID_PARAMS, RESOURCE_NOT_FOUND } from '../../mcp/error-codes.ts';
import { READ_RESOURCE, SUBSCRIBE, UNSUBSCRIBE } from '../../mcp/methods.ts';
import type { Access } from '../../policy/access.ts';
import type { ResourceDirectory, ResourceOwner } from '../lists/resource-directory.ts';
import type { ConnectionView, UpstreamViews } from '../upstream-view.ts';
import { forwardToOwner } from './forward-to-owner.ts';

/** How long servers may take to say whether they can read a resource that none of them lists. */
const ASK_MS = 5000;

export interface ResourcesOptions {
  readonly directory: ResourceDirectory;
  readonly upstreams: UpstreamViews;
  readonly access: Access;
  readonly client: Peer;
  /** Subscriptions of the client, by the URI it knows. */
  readonly subscriptions: Map<string, ResourceOwner>;
}

/** Routes `resources/read`, `subscribe` and `unsubscribe` to the server a URI belongs to. */
export class Resources {
  readonly #directory: ResourceDirectory;
  readonly #upstreams: UpstreamViews;
  readonly #access: Access;
  readonly #client: Peer;
  /** Subscriptions of the client, by the URI it knows. */
  readonly #subscriptions: Map<string, ResourceOwner>;

  constructor({ directory, upstreams, access, client, subscriptions }: ResourcesOptions) {
    this.#directory = directory;
    this.#upstreams = upstreams;
    this.#access = access;
    this.#client = client;
    this.#subscriptions = subscriptions;
  }

  async route(request: IncomingRequest): Promise<void> {
    const { frame } = request;
    const span = at(frame, 'params', 'uri');
    const uri = parsePart(frame, span);
    if (span === undefined || typeof uri !== 'string') {
      request.error(INVALID_PARAMS, `${frame.method} needs "uri" as a string`);
      return;
    }
    const owner = this.#directory.ownerOf(uri) ?? (await this.#askAround(request, uri));
    const upstream = owner === undefined ? undefined : this.#upstreams.get(owner.server);
    if (!request.isOpen) return;
    const isAllowed = owner !== undefined && this.#access.allows(owner.server, owner.uri);
    if (owner === undefined || upstream === undefined || !isAllowed) {
      request.error(RESOURCE_NOT_FOUND, `Resource not found: ${uri}`, { uri });
      return;
    }
    const edits = owner.uri === uri ? [] : [{ span, text: JSON.stringify(owner.uri) }];
    const onanswer = ({ result }: ResponseFrame) => {
      if (result === undefined) return;
      if (frame.method === SUBSCRIBE) this.#subscriptions.set(uri, owner);
      if (frame.method === UNSUBSCRIBE) this.#subscriptions.delete(uri);
    };
    await forwardToOwner({ request, client: this.#client, upstream, edits, onanswer });
  }

  /** What to change in a `notifications/resources/updated` so that the client knows the URI again, as that server's. */
  updatedEdits(frame: NotificationFrame, server: string): Edit[] {
    const span = at(frame, 'params', 'uri');
    const uri = parsePart(frame, span);
    for (const [shown, owner] of this.#subscriptions) {
      if (span !== undefined && owner.server === server && owner.uri === uri && shown !== uri) {
        return [{ span, text: JSON.stringify(shown) }];
      }
    }
    const shown = typeof uri === 'string' ? this.#directory.shownTo(server, uri) : uri;
    return span === undefined || shown === uri ? [] : [{ span, text: JSON.stringify(shown) }];
  }

  /** Subscribes again with an upstream that has come up anew. */
  restore(server: string, connection: ConnectionView): void {
    for (const owner of this.#subscriptions.values())
      if (owner.server === server) connection.subscribe(owner.uri);
  }

  /** No list names the URI: the running servers with resources are asked whether they can read it. */
  async #askAround(request: IncomingRequest, uri: string): Promise<ResourceOwner | undefined> {
    const params = JSON.stringify({ uri });
    const asked = [...this.#upstreams.values()].map(async ({ name, connection }) => {
      if (connection?.capabilities.has('resources') !== true) throw new Error('has no resources');
      if (!this.#access.allows(name, uri)) throw new Error('may not be asked for it');
      const answer = await connection.request(READ_RESOURCE, params, AbortSignal.timeout(ASK_MS));
      if (answer.result === undefined) throw new Error('cannot read it');
      return { name, answer };
    });
    const found = await Promise.any(asked).catch(() => undefined);
    if (found === undefined) return undefined;
    if (request.frame.method === READ_RESOURCE) request.answerWith(found.answer);
    this.#directory.rememberLink(uri, found.name);
    return { server: found.name, uri };
  }
}

import type { HttpServerConfig } from '../../config/config.ts';
import { ToolsiftError } from '../../errors.ts';
import type { Chunk } from '../../json/splice.ts';
import type { Link, LinkFault, LinkHandlers } from '../../jsonrpc/link.ts';
import type { About } from '../../jsonrpc/message.ts';
import { isModernError } from '../../mcp/error-codes.ts';
import type { LoginStore } from './login/login-store.ts';
import { StreamableLink } from './streamable-link.ts';
import { type HttpTarget, targetOf } from './target.ts';

/** Answers to a first POST that a server of the older transport gives. */
const UNSUPPORTED = [400, 404, 405];

export interface HttpLinkOptions {
  /** Longest message accepted, in bytes. */
  readonly maxMessageBytes: number;
  /** Where logins are kept; nowhere where absent. */
  readonly logins?: LoginStore | undefined;
}

/** A link to a remote server, over the transport its entry names or, where it names none, the one that works. */
export class HttpLink implements Link {
  readonly #config: HttpServerConfig;
  readonly #options: HttpLinkOptions;
  #handlers: LinkHandlers | undefined;
  #link: Link | undefined;
  #initialize: { readonly message: readonly Chunk[]; readonly about: About } | undefined;
  /** An answer has come over the link there is. */
  #isSettled = false;
  /** How the newer transport was refused, where the older one took its place. */
  #refusal: ToolsiftError | undefined;
  #isClosed = false;

  constructor(config: HttpServerConfig, options: HttpLinkOptions) {
    this.#config = config;
    this.#options = options;
  }

  /** @throws ToolsiftError `server_config_invalid` when the entry cannot be turned into requests */
  async start(handlers: LinkHandlers): Promise<void> {
    this.#handlers = handlers;
    const target = targetOf(this.#config, this.#options.logins);
    if (this.#config.transport === 'sse') await this.#useSse(target);
    else await this.#use(new StreamableLink(target, this.#options), target);
  }

  send(message: readonly Chunk[], about: About): void {
    this.#initialize ??= { message, about };
    this.#link?.send(message, about);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#link?.close();
  }

  async #use(link: Link, target: HttpTarget): Promise<void> {
    this.#link = link;
    await link.start({
      onframe: (frame) => {
        if (frame.kind === 'response') this.#isSettled = true;
        this.#handlers?.onframe(frame);
      },
      onfault: (fault) => this.#fault(fault, target),
      onclose: (reason) => {
        if (this.#link === link) this.#handlers?.onclose(reason);
      },
    });
  }

  #fault(fault: LinkFault, target: HttpTarget): void {
    if (fault.kind !== 'lost' || this.#isSettled) this.#handlers?.onfault(fault);
    else if (this.#refusal !== undefined) {
      this.#handlers?.onfault({ ...fault, error: neither(this.#refusal, fault.error) });
    } else if (this.#isAnsweredByOlderServer(fault.error)) {
      this.#fallBack(fault.error, target).catch((error: Error) => this.#handlers?.onclose(error));
    } else this.#handlers?.onfault(fault);
  }

  #isAnsweredByOlderServer({ facts }: ToolsiftError): boolean {
    return (
      this.#config.transport === 'auto' &&
      UNSUPPORTED.includes(facts.httpStatus ?? 0) &&
      !(facts.rpcCode !== undefined && isModernError(facts.rpcCode))
    );
  }

  async #fallBack(refusal: ToolsiftError, target: HttpTarget): Promise<void> {
    const refused = this.#link;
    this.#link = undefined;
    this.#refusal = refusal;
    refused?.close().catch(() => {
      // It was of no use and is gone.
    });
    const link = await this.#useSse(target);
    const initialize = this.#initialize;
    if (!this.#isClosed && initialize !== undefined) link.send(initialize.message, initialize.about);
  }

  async #useSse(target: HttpTarget): Promise<Link> {
    const { SseLink } = await import('./sse-link.ts');
    const link = new SseLink(target, this.#options);
    await this.#use(link, target);
    return link;
  }
}

/** Neither transport worked. What the newer one met is what people will look for; a login comes before both. */
function neither(refusal: ToolsiftError, sseFailure: ToolsiftError): ToolsiftError {
  if (sseFailure.code === 'upstream_needs_login') return sseFailure;
  return new ToolsiftError(refusal.code, `${refusal.message}; as an SSE server it ${sseFailure.message}`, {
    cause: refusal,
    facts: refusal.facts,
  });
}

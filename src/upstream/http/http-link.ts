import type { HttpServerConfig } from '../../config/config.ts';
import { ToolsiftError } from '../../errors.ts';
import { type Chunk, joinChunks } from '../../json/splice.ts';
import type { Link, LinkFault } from '../../jsonrpc/link.ts';
import { StreamableLink } from './streamable-link.ts';
import { type HttpTarget, targetOf } from './target.ts';

/** Answers to a first POST that a server of the older transport gives. */
const UNSUPPORTED = [400, 404, 405];
/** Errors only a server that knows a newer protocol sends (2026-07-28): it has understood us. */
const isModernError = (code: number | undefined) => code !== undefined && code <= -32020 && code >= -32022;

/** A link to a remote server, over the transport its entry names or, where it names none, the one that works. */
export class HttpLink implements Link {
  onframe: Link['onframe'] = () => {};
  onfault: Link['onfault'] = () => {};
  onclose: Link['onclose'] = () => {};
  readonly #config: HttpServerConfig;
  readonly #options: { readonly maxMessageBytes: number };
  #target: HttpTarget | undefined;
  #link: Link | undefined;
  #initialize: readonly Chunk[] | undefined;
  #isClosed = false;

  constructor(config: HttpServerConfig, options: { readonly maxMessageBytes: number }) {
    this.#config = config;
    this.#options = options;
  }

  /** @throws ToolsiftError `server_config_invalid` when the entry cannot be turned into requests */
  async start(): Promise<void> {
    this.#target = targetOf(this.#config);
    if (this.#config.transport === 'sse') await this.#useSse();
    else this.#use(new StreamableLink(this.#target, this.#options));
  }

  send(message: readonly Chunk[]): void {
    this.#initialize ??= message;
    this.#link?.send(message);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#link?.close();
  }

  #use(link: Link): void {
    link.onframe = (frame) => {
      if (frame.kind === 'response') link.onfault = (fault) => this.onfault(fault);
      this.onframe(frame);
    };
    link.onfault = (fault) => this.#fault(fault);
    link.onclose = (reason) => this.onclose(reason);
    this.#link = link;
  }

  /** Until the first answer has come; after that the transport is settled. */
  #fault(fault: LinkFault): void {
    if (fault.kind === 'lost' && this.#isAnsweredByOlderServer(fault.error))
      this.#fallBack(fault.error).catch((error: Error) => this.onclose(error));
    else this.onfault(fault);
  }

  #isAnsweredByOlderServer({ facts }: ToolsiftError): boolean {
    return (
      this.#config.transport === 'auto' &&
      this.#link instanceof StreamableLink &&
      UNSUPPORTED.includes(facts.httpStatus ?? 0) &&
      !isModernError(facts.rpcCode)
    );
  }

  async #fallBack(refusal: ToolsiftError): Promise<void> {
    const initialize = joinChunks(this.#initialize as readonly Chunk[]);
    const refused = this.#link as Link;
    refused.onclose = () => {};
    refused.close().catch(() => {
      // It was of no use and is gone.
    });
    await this.#useSse();
    if (this.#isClosed) return;
    const link = this.#link as Link;
    link.onfault = (fault) => {
      this.onfault(fault.kind === 'lost' ? { ...fault, error: neither(refusal, fault.error) } : fault);
    };
    link.send([initialize]);
  }

  async #useSse(): Promise<void> {
    const { SseLink } = await import('./sse-link.ts');
    this.#use(new SseLink(this.#target as HttpTarget, this.#options));
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

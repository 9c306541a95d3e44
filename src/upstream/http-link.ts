import type { HttpServerConfig } from '../config/config.ts';
import { ToolsiftError } from '../errors.ts';
import type { Link } from '../jsonrpc/link.ts';

/** A link to a remote MCP server. */
export class HttpLink implements Link {
  onframe: Link['onframe'] = () => {};
  onfault: Link['onfault'] = () => {};
  onclose: Link['onclose'] = () => {};
  readonly #config: HttpServerConfig;

  constructor(config: HttpServerConfig, _options: { readonly maxMessageBytes: number }) {
    this.#config = config;
  }

  start(): Promise<void> {
    return Promise.reject(
      new ToolsiftError('server_config_invalid', `"${this.#config.transport}" servers are not supported yet`),
    );
  }

  send(): void {}

  async close(): Promise<void> {}
}

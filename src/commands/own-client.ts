import { ownInitializeParams } from '../downstream/client-handshake.ts';
import { ToolsiftError } from '../errors.ts';
import { textOf, valueAt } from '../jsonrpc/frame.ts';
import { createLinkedLinks } from '../jsonrpc/linked-links.ts';
import { Peer } from '../jsonrpc/peer.ts';
import { METHOD_NOT_FOUND } from '../mcp/error-codes.ts';
import { CALL_TOOL, INITIALIZE, INITIALIZED } from '../mcp/methods.ts';
import type { ToolProxy } from '../proxy/proxy.ts';
import { VERSION } from '../version.ts';

export interface ToolResult {
  /** The result as it came, JSON text. */
  readonly text: string;
  readonly isError: boolean;
  /** The texts of its content blocks. */
  readonly texts: readonly string[];
}

/** A client of our own in front of a proxy, so that commands get exactly what an agent would get. */
export class OwnClient {
  readonly #peer: Peer;

  private constructor(peer: Peer) {
    this.#peer = peer;
  }

  static async connect(proxy: ToolProxy): Promise<OwnClient> {
    const [ours, theirs] = createLinkedLinks();
    const peer = new Peer(ours, {
      onrequest: (request) => request.error(METHOD_NOT_FOUND, 'Method not found'),
      onnotification: () => {},
      onfault: () => {},
      onclose: () => {},
    });
    await peer.start();
    void proxy.serve(theirs);
    await peer.request(INITIALIZE, ownInitializeParams(VERSION));
    peer.notify(INITIALIZED);
    return new OwnClient(peer);
  }

  /**
   * Calls a tool.
   *
   * @param args its arguments, JSON text
   * @throws ToolsiftError with the code of the failure when toolsift itself could not make the call
   */
  async call(name: string, args: string): Promise<ToolResult> {
    const answer = await this.#peer.request(
      CALL_TOOL,
      `{"name":${JSON.stringify(name)},"arguments":${args}}`,
    );
    if (answer.result === undefined) {
      const { code, message } = valueAt(answer, 'error') as { code?: unknown; message?: unknown };
      throw new ToolsiftError('tool_failed', `error ${String(code)}: ${String(message)}`);
    }
    const content = valueAt(answer, 'result', 'content');
    const texts = Array.isArray(content) ? content.map((block) => String(block?.text ?? '')) : [];
    if (valueAt(answer, 'result', '_meta', 'toolsift/error') !== undefined)
      throw new ToolsiftError('tool_failed', texts.join('\n'));
    const isError = valueAt(answer, 'result', 'isError') === true;
    return { text: textOf(answer, answer.result), isError, texts };
  }
}

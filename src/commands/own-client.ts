import { ownInitializeParams } from '../downstream/client-handshake.ts';
import { ToolsiftError } from '../errors.ts';
import { memberOf, membersOf, parsePart, textOf } from '../jsonrpc/frame.ts';
import { METHOD_NOT_FOUND } from '../jsonrpc/incoming-request.ts';
import { createLinkedLinks } from '../jsonrpc/linked-links.ts';
import { Peer } from '../jsonrpc/peer.ts';
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
    await peer.request('initialize', ownInitializeParams(VERSION));
    peer.notify('notifications/initialized');
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
      'tools/call',
      `{"name":${JSON.stringify(name)},"arguments":${args}}`,
    );
    if (answer.result === undefined) {
      const { code, message } = parsePart(answer, answer.error) as { code?: unknown; message?: unknown };
      throw new ToolsiftError('tool_failed', `error ${String(code)}: ${String(message)}`);
    }
    const members = membersOf(answer, answer.result);
    const content = parsePart(answer, memberOf(members, 'content'));
    const texts = Array.isArray(content) ? content.map((block) => String(block?.text ?? '')) : [];
    const meta = parsePart(answer, memberOf(members, '_meta')) as Record<string, unknown> | undefined;
    if (meta?.['toolsift/error'] !== undefined) throw new ToolsiftError('tool_failed', texts.join('\n'));
    const isError = parsePart(answer, memberOf(members, 'isError')) === true;
    return { text: textOf(answer, answer.result), isError, texts };
  }
}

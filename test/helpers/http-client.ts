import { EventReader } from '../downstream/http/event-reader.ts';
import { type Answer, at, type Json, jsonOf, type Message, readMessages } from './message.ts';
import { waitFor } from './wait-for.ts';

/** An MCP client over HTTP that keeps the text of whatever comes. */
export class HttpClient {
  readonly notifications: Message[] = [];
  readonly requests: Message[] = [];
  /** Answers a request of the server: the text after its id, e.g. `"result":{}`. */
  readonly handlers = new Map<string, (message: Message) => string>();
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #standing: EventReader | undefined;
  #lastId = 0;

  constructor(url: string, { token, accept }: { token?: string; accept?: string } = {}) {
    this.#url = url;
    this.#headers = {
      'content-type': 'application/json',
      accept: accept ?? 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
  }

  post(body: string): Promise<Response> {
    return fetch(this.#url, { method: 'POST', headers: this.#headers, body });
  }

  async initialize(capabilities: Json = {}): Promise<Answer> {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo: { name: 'http', version: '1' },
    };
    const body = { jsonrpc: '2.0', id: 'init', method: 'initialize', params };
    const response = await this.post(JSON.stringify(body));
    const session = response.headers.get('mcp-session-id');
    const text = await response.text();
    if (session === null) throw new Error(`${response.status} ${text}`);
    Object.assign(this.#headers, { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' });
    await (await this.post('{"jsonrpc":"2.0","method":"notifications/initialized"}')).text();
    return readMessages(text)?.[0] ?? { line: text };
  }

  ask(method: string, params: Json = {}, id: Json = ++this.#lastId): Promise<Answer> {
    return this.askText(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  }

  /** Sends one request as it is, answers what the server asks meanwhile, and resolves with the answer. */
  async askText(body: string): Promise<Answer> {
    const response = await this.post(body);
    if (response.headers.get('content-type') !== 'text/event-stream') {
      const text = await response.text();
      return readMessages(text)?.[0] ?? { line: text };
    }
    const reader = new EventReader(response);
    for (let event = await reader.next(); event !== undefined; event = await reader.next()) {
      const answer = this.#take(event.data);
      if (answer !== undefined) return answer;
    }
    throw new Error(`the stream ended without an answer to ${body.slice(0, 200)}`);
  }

  invoke(server: string, name: string, args: Json = {}, meta?: Json): Promise<Answer> {
    const params = { name: 'invoke_tool', arguments: { server, name, arguments: args } };
    return this.ask('tools/call', meta === undefined ? params : { ...params, _meta: meta });
  }

  call(name: string, args: Json = {}): Promise<Answer> {
    return this.ask('tools/call', { name, arguments: args });
  }

  async listed(...names: string[]): Promise<void> {
    for (const name of names) {
      await waitFor(`the tools of ${name}`, async () => {
        const servers = at(jsonOf(await this.call('list_servers')), 'servers');
        const server = Array.isArray(servers) ? servers.find((one) => at(one, 'name') === name) : undefined;
        return Number(at(server, 'tools')) > 0;
      });
    }
  }

  /** Opens the stream for what belongs to no request. */
  async listen(): Promise<void> {
    const reader = new EventReader(await fetch(this.#url, { headers: this.#headers }));
    this.#standing = reader;
    await reader.next();
    void (async () => {
      for (let event = await reader.next(); event !== undefined; event = await reader.next())
        this.#take(event.data);
    })().catch(() => {});
  }

  async close(): Promise<number> {
    await this.#standing?.cancel();
    return (await fetch(this.#url, { method: 'DELETE', headers: this.#headers })).status;
  }

  #take(data: string): Answer | undefined {
    const [message] = data === '' ? [] : (readMessages(data) ?? []);
    if (message === undefined) return undefined;
    if (message.method === undefined) return message;
    if (message.id === undefined) this.notifications.push(message);
    else {
      this.requests.push(message);
      const rest = this.handlers.get(message.method)?.(message) ?? '"error":{"code":-32601,"message":"no"}';
      void this.post(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},${rest}}`).then((answer) =>
        answer.text(),
      );
    }
    return undefined;
  }
}

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { type Answer, type Json, type Message, readMessages } from './message.ts';
import { memberText } from './raw-json.ts';
import { waitFor, within } from './wait-for.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Answers a request of the server: the text between the id and the end, e.g. `"result":{}`. */
export type Handler = (message: Message) => string | Promise<string>;

export const resultText = (value: Json): string => `"result":${JSON.stringify(value)}`;
export const errorText = (code: number, message: string): string =>
  `"error":${JSON.stringify({ code, message })}`;

const ANSWER_LIMIT_MS = 15_000;

/** An MCP client reduced to lines of text over the stdio of a process. */
export class RawClient {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** Messages the server sent of its own accord. */
  readonly notifications: Message[] = [];
  readonly requests: Message[] = [];
  /** Lines that are no JSON-RPC message of their own, and answers nobody asked for. */
  readonly junk: string[] = [];
  stderr = '';

  readonly #process: ChildProcessWithoutNullStreams;
  readonly #pending = new Map<string, (answer: Answer) => void>();
  readonly #handlers = new Map<string, Handler>([['ping', () => resultText({})]]);
  #lastId = 0;
  #exit: Exit | undefined;

  constructor(command: string, args: readonly string[], options: { cwd?: string; env: NodeJS.ProcessEnv }) {
    this.#process = spawn(command, args, { ...options, stdio: 'pipe' });
    this.pid = this.#process.pid ?? -1;
    this.exited = new Promise((resolve, reject) => {
      this.#process.on('error', reject);
      this.#process.on('close', (code, signal) => {
        this.#exit = { code, signal };
        resolve(this.#exit);
      });
    });
    this.exited.catch(() => {});
    this.#process.stdin.on('error', () => {});
    this.#process.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.stderr += chunk;
    });
    this.#readLines();
  }

  handle(method: string, handler: Handler): void {
    this.#handlers.set(method, handler);
  }

  write(text: string): void {
    this.#process.stdin.write(text);
  }

  notify(method: string, params?: Json): void {
    this.write(
      `${JSON.stringify({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) })}\n`,
    );
  }

  /** Leaves what comes where it is, as a client that hangs does. */
  stopReading(): void {
    this.#process.stdout.pause();
  }

  readOn(): void {
    this.#process.stdout.resume();
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Sends a request and resolves with the answer, be it a result or an error. */
  ask(method: string, params?: Json, options: { id?: Json; limitMs?: number } = {}): Promise<Answer> {
    const id = options.id ?? this.nextId();
    const request = { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
    return this.askLine(JSON.stringify(request), id, options.limitMs);
  }

  /** Sends one line as it is; `id` says which answer belongs to it. */
  async askLine(line: string, id: Json, limitMs = ANSWER_LIMIT_MS): Promise<Answer> {
    const answer = this.answerTo(id, limitMs, line);
    this.write(`${line}\n`);
    return answer;
  }

  /** Resolves with the answer to `id` that is still to come. */
  async answerTo(
    id: Json,
    limitMs = ANSWER_LIMIT_MS,
    what = `answer to ${JSON.stringify(id)}`,
  ): Promise<Answer> {
    const key = JSON.stringify(id);
    const answer = new Promise<Answer>((resolve) => this.#pending.set(key, resolve));
    const gone = this.exited.then(({ code, signal }) => {
      throw new Error(
        `process ended (${code ?? signal}) before: ${what.slice(0, 200)}\n${this.stderr.slice(-800)}`,
      );
    });
    gone.catch(() => {});
    try {
      return await within(what.slice(0, 200), limitMs, Promise.race([answer, gone]));
    } finally {
      this.#pending.delete(key);
    }
  }

  async initialize(
    options: { capabilities?: Json; protocolVersion?: string; clientInfo?: Json } = {},
  ): Promise<Answer> {
    const answer = await this.ask('initialize', {
      protocolVersion: options.protocolVersion ?? '2025-11-25',
      capabilities: options.capabilities ?? {},
      clientInfo: options.clientInfo ?? { name: 'raw-client', version: '1.0.0' },
    });
    this.notify('notifications/initialized');
    return answer;
  }

  /** The first notification of `method`, past or future, that `matches`. */
  notified(method: string, matches: (message: Message) => boolean = () => true): Promise<Message> {
    return waitFor(`notification ${method}`, () =>
      this.notifications.find((message) => message.method === method && matches(message)),
    );
  }

  endInput(): void {
    this.#process.stdin.end();
  }

  /** Stops reading, as a client does that dies: what the process writes next hits a broken pipe. */
  breakOutput(): void {
    this.#process.stdout.destroy();
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Ends stdin and waits; kills only when the process does not go by itself, and says so. */
  async close(limitMs = 10_000): Promise<Exit> {
    this.endInput();
    try {
      return await within('process ends after its stdin ended', limitMs, this.exited);
    } catch (error) {
      this.kill('SIGKILL');
      throw error;
    }
  }

  get hasExited(): boolean {
    return this.#exit !== undefined;
  }

  #readLines(): void {
    let parts: Buffer[] = [];
    this.#process.stdout.on('error', () => {});
    this.#process.stdout.on('data', (chunk: Buffer) => {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        parts.push(chunk.subarray(start, end));
        const line = Buffer.concat(parts).toString('utf8');
        parts = [];
        start = end + 1;
        this.#receive(line);
      }
      parts.push(chunk.subarray(start));
    });
  }

  #receive(line: string): void {
    const messages = readMessages(line);
    if (messages === undefined || line.trimStart().startsWith('[')) this.junk.push(line.slice(0, 200));
    for (const message of messages ?? []) {
      if (message.method === undefined) this.#settle(message);
      else if (message.id === undefined) this.notifications.push(message);
      else void this.#respond(message);
    }
  }

  #settle(answer: Message): void {
    const resolve = this.#pending.get(JSON.stringify(answer.id));
    if (resolve) resolve(answer);
    else this.junk.push(`answer nobody waits for: ${answer.line.slice(0, 200)}`);
  }

  async #respond(message: Message): Promise<void> {
    this.requests.push(message);
    const handler = this.#handlers.get(message.method ?? '');
    const tail = handler ? await handler(message) : errorText(-32601, 'Method not found');
    this.write(`{"jsonrpc":"2.0","id":${memberText(message.line, 'id')},${tail}}\n`);
  }
}

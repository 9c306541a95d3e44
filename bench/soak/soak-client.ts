import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Toolsift stops its servers within a few seconds, however stubborn they are; the machine is busy. */
const EXIT_LIMIT_MS = 15_000;
/** Longer than a server may take to say hello; whatever is not answered by then hangs. */
const ANSWER_LIMIT_MS = 90_000;
const STDERR_TAIL_CHARS = 2000;

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Waiting {
  readonly resolve: (message: Message) => void;
  readonly reject: (error: Error) => void;
}

/** An agent's side of one toolsift process. */
export class SoakClient {
  /** Lines that are no message of the protocol. */
  readonly junk: string[] = [];
  listChanges = 0;
  readonly #process: ChildProcess;
  readonly #pending = new Map<number, Waiting>();
  readonly #exit: Promise<unknown>;
  #lastId = 0;
  #stderr = '';

  constructor(args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#process = spawn(process.execPath, args, { env, stdio: 'pipe' });
    this.#exit = once(this.#process, 'exit');
    const { stdin, stdout, stderr } = this.#process;
    stdin?.on('error', () => {});
    if (stdout !== null) createInterface(stdout).on('line', (line) => this.#receive(line));
    stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-STDERR_TAIL_CHARS);
    });
    this.#process.on('exit', (code, signal) => this.#fail(`ended (${signal ?? code})`));
  }

  get pid(): number {
    return this.#process.pid ?? -1;
  }

  get hasExited(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: 'toolsift-soak', version: '1.0.0' };
    await this.#request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.#process.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  callTool(name: string, args: object): Promise<Message> {
    return this.#request('tools/call', { name, arguments: args });
  }

  /** Resolves when the process has ended by itself. */
  async exited(): Promise<void> {
    await this.#exit;
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /**
   * Closes stdin, as clients do, and waits for the process to leave.
   *
   * @returns what was wrong with that
   */
  async close(): Promise<string | undefined> {
    this.#process.stdin?.end();
    const timer = setTimeout(() => this.kill(), EXIT_LIMIT_MS);
    await this.#exit;
    clearTimeout(timer);
    if (this.#process.exitCode === 0) return undefined;
    const how = this.#process.signalCode ?? this.#process.exitCode;
    return `toolsift ended with ${how} when its client left; last output: ${this.#stderr.trim()}`;
  }

  #request(method: string, params: object): Promise<Message> {
    const id = ++this.#lastId;
    return new Promise<Message>((resolve, reject) => {
      const late = () => reject(new Error(`no answer in ${ANSWER_LIMIT_MS} ms: ${JSON.stringify(params)}`));
      const timer = setTimeout(late, ANSWER_LIMIT_MS);
      const settle =
        <Value>(then: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(timer);
          then(value);
        };
      this.#pending.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.#process.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }

  #receive(line: string): void {
    const message = parsed(line);
    if (message === undefined) this.junk.push(line.slice(0, 200));
    else if (message.method === 'notifications/tools/list_changed') this.listChanges++;
    else if (message.id !== undefined && message.method === undefined) {
      const waiting = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (waiting === undefined) this.junk.push(`nobody waits for ${line.slice(0, 200)}`);
      else waiting.resolve(message);
    }
  }

  #fail(how: string): void {
    for (const { reject } of this.#pending.values())
      reject(new Error(`toolsift ${how}; last output: ${this.#stderr.trim()}`));
    this.#pending.clear();
  }
}

function parsed(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return undefined; // told of as junk
  }
}

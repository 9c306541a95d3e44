import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const NEWLINE = 0x0a;
const ENVELOPE_HEAD = /^\{"jsonrpc":"2\.0","id":(\d+),"(?:result|error)":/;
const ENVELOPE_TAIL = /"id":(\d+)\}$/;
/** How much of a line's beginning and end is looked at. */
const ENVELOPE_BYTES = 64;
const STDERR_TAIL_CHARS = 2_000;
/** Linux reports processor time in hundredths of a second. */
const MS_PER_CLOCK_TICK = 10;
const EXIT_WAIT_MS = 3_000;
const SILENCE_LIMIT_MS = 120_000;
const SILENCE_CHECK_MS = 5_000;

export interface Command {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** One answer as it came off the pipe; nothing is decoded until somebody asks. */
export interface Answer {
  readonly chunks: readonly Buffer[];
  /** `performance.now()` when the last byte of the line had been read. */
  readonly receivedAt: number;
}

/**
 * The client that measures. It splits stdout on newline bytes and finds the id of an answer in the first or last
 * bytes of its line: no decoding, no validation, and JSON.parse only where a section says so. A client that did more
 * would add the same work to every variant and make a proxy look cheaper than it is.
 */
export class LineClient {
  readonly spawnedAt = performance.now();
  readonly #process: ChildProcess;
  readonly #pending = new Map<number, Waiting>();
  #nextId = 1;
  #unasked = 0;
  #line: Buffer[] = [];
  #stderr = '';
  #lastSignOfLife = performance.now();
  readonly #watchdog = setInterval(() => this.#checkSilence(), SILENCE_CHECK_MS).unref();

  constructor(command: Command) {
    this.#process = spawn(process.execPath, [...command.args], {
      env: { ...process.env, ...command.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#process.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#process.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-STDERR_TAIL_CHARS);
    });
    // A write to a process that just died; 'exit' says so in better words.
    this.#process.stdin?.on('error', () => {});
    this.#process.on('exit', (code, signal) => this.#fail(`exited (${signal ?? code})`));
    this.#process.on('error', (error) => this.#fail(error.message));
  }

  get pid(): number {
    return this.#process.pid ?? -1;
  }

  /** Messages that were no answers to requests. */
  get unasked(): number {
    return this.#unasked;
  }

  /** Processor time the process has used, in ms; `undefined` where the system does not tell. */
  cpuMs(): number | undefined {
    const stat = `/proc/${this.pid}/stat`;
    if (!existsSync(stat)) return undefined;
    // The name in parentheses can hold spaces; user and system time are the 12th and 13th fields after it.
    const fields = readFileSync(stat, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_CLOCK_TICK;
  }

  request(method: string, params: object): Promise<Answer> {
    const id = this.#nextId++;
    if (this.#pending.size === 0) this.#lastSignOfLife = performance.now();
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#process.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }

  async initialize(): Promise<Answer> {
    const answer = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'toolsift-bench', version: '1.0.0' },
    });
    this.#process.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return answer;
  }

  callTool(name: string, args: object): Promise<Answer> {
    return this.request('tools/call', { name, arguments: args });
  }

  /** Closes stdin, as clients do, and waits for the process to leave. */
  async close(): Promise<void> {
    clearInterval(this.#watchdog);
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), EXIT_WAIT_MS);
    this.#process.stdin?.end();
    await exited;
    clearTimeout(timer);
  }

  #read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#line.push(chunk.subarray(start, end));
      this.#lastSignOfLife = performance.now();
      this.#settle({ chunks: this.#line, receivedAt: this.#lastSignOfLife });
      this.#line = [];
      start = end + 1;
    }
    if (start < chunk.length) this.#line.push(start === 0 ? chunk : chunk.subarray(start));
  }

  #settle(answer: Answer): void {
    const id = idOf(answer);
    const waiting = id === undefined ? undefined : this.#pending.get(id);
    if (id === undefined || waiting === undefined) {
      this.#unasked++;
      return;
    }
    this.#pending.delete(id);
    waiting.resolve(answer);
  }

  /** A call that is never answered must end the section, not hang the run. */
  #checkSilence(): void {
    if (this.#pending.size === 0 || performance.now() - this.#lastSignOfLife < SILENCE_LIMIT_MS) return;
    this.#fail(`gave no answer for ${SILENCE_LIMIT_MS / 1_000} s`);
  }

  #fail(reason: string): void {
    const error = new Error(
      `the process under test ${reason}; its last output: ${this.#stderr.trim() || 'none'}`,
    );
    for (const waiting of this.#pending.values()) waiting.reject(error);
    this.#pending.clear();
  }
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** The parsed message; for answers that are looked at, outside measured time. */
export function parseAnswer(answer: Answer): { result?: unknown; error?: { code: number; message: string } } {
  return JSON.parse(Buffer.concat(answer.chunks).toString()) as ReturnType<typeof parseAnswer>;
}

/** The SDK writes the id last, everybody else first. */
function idOf({ chunks }: Answer): number | undefined {
  const head = Buffer.concat(chunks.slice(0, 2).map((chunk) => chunk.subarray(0, ENVELOPE_BYTES)));
  const fromHead = ENVELOPE_HEAD.exec(head.toString('latin1', 0, ENVELOPE_BYTES));
  if (fromHead) return Number(fromHead[1]);
  const tail = Buffer.concat(chunks.slice(-2).map((chunk) => chunk.subarray(-ENVELOPE_BYTES)));
  const fromTail = ENVELOPE_TAIL.exec(tail.toString('latin1'));
  return fromTail ? Number(fromTail[1]) : undefined;
}

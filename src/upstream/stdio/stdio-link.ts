import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import type { StdioServerConfig } from '../../config/config.ts';
import { type ErrorFacts, ToolsiftError } from '../../errors.ts';
import type { Chunk } from '../../json/splice.ts';
import type { Link, LinkHandlers } from '../../jsonrpc/link.ts';
import type { About } from '../../jsonrpc/message.ts';
import { StreamLink } from '../../jsonrpc/stream-link.ts';
import type { LinkOptions } from '../link-options.ts';
import { redactorOf } from '../redact.ts';
import { ServerLog } from '../server-log.ts';
import { MARK_VARIABLE } from './descendants.ts';
import { PrintedLines } from './printed-lines.ts';
import { StderrTail } from './stderr-tail.ts';
import { stopProcess } from './stop-process.ts';

/** How long a process that closed its stdout may take to exit, and its stderr to end, before it is reported as it is. */
const EXIT_GRACE_MS = 500;
/** What a process that has exited wrote last is read while it comes, but no longer than this: a child of it may go on. */
const LAST_WORDS_MS = 5000;

/** How a process ended, in words and as facts. */
interface Ending {
  readonly how: string;
  readonly facts: ErrorFacts;
}

interface Child {
  readonly pid: number;
  readonly mark: string;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly link: Link;
  readonly exited: Promise<Ending>;
  readonly tail: StderrTail;
  readonly printed: PrintedLines;
}

/** A link to an MCP server that runs as a child process of ours, in a process group of its own. */
export class StdioLink implements Link {
  readonly #config: StdioServerConfig;
  readonly #options: LinkOptions;
  readonly #abort = new AbortController();
  #child: Child | undefined;
  #isReported = false;
  #stopping: Promise<void> | undefined;

  constructor(config: StdioServerConfig, options: LinkOptions) {
    this.#config = config;
    this.#options = options;
  }

  /** @throws ToolsiftError `server_config_invalid` when there is nothing that could be started */
  async start(handlers: LinkHandlers): Promise<void> {
    requireFolder(this.#config.cwd);
    const { descriptors } = this.#options;
    const { subprocess, child } = await descriptors.pass(() => this.#spawn(), this.#abort.signal);
    if (child === undefined) throw spawnError(this.#config, (await subprocess).code);
    const report = () => void this.#report(child, handlers.onclose);
    void child.exited.then(() => lastWordsOf(child.stdout)).then(report);
    await child.link.start({
      ...handlers,
      onfault: (fault) => {
        if (fault.kind === 'junk') child.printed.add(fault.line);
        handlers.onfault(fault);
      },
      onclose: report,
    });
  }

  send(message: readonly Chunk[], about: About): void {
    this.#child?.link.send(message, about);
  }

  /** Stops the process and everything it started; bounded. */
  close(): Promise<void> {
    this.#abort.abort(new ToolsiftError('upstream_unavailable', 'was stopped before it could be started'));
    const child = this.#child;
    if (child === undefined) return Promise.resolve();
    this.#stopping ??= stopProcess(child).finally(() => this.#options.groups.delete(child.pid));
    return this.#stopping;
  }

  /** In one turn, so that a process that is there is known. */
  #spawn(): { subprocess: Subprocess; child: Child | undefined } {
    const mark = randomUUID();
    const { subprocess } = spawn(this.#config, mark);
    if (subprocess.pid !== undefined) this.#child = this.#adopt(subprocess, subprocess.pid, mark);
    return { subprocess, child: this.#child };
  }

  #adopt(subprocess: Subprocess, pid: number, mark: string): Child {
    const { groups, logFolder } = this.#options;
    const { stdin, stdout, stderr } = subprocess;
    groups.add(pid, mark);
    const tail = new StderrTail(stderr);
    if (this.#config.keepsLog && logFolder !== undefined)
      keepLog(stderr, new ServerLog(logFolder, this.#config.name, redactorOf(this.#config)));
    const options = this.#options;
    const link = new StreamLink({
      input: stdout,
      output: stdin,
      get maxMessageBytes() {
        return options.maxMessageBytes;
      },
    });
    return {
      pid,
      mark,
      stdin,
      stdout,
      link,
      exited: endingOf(subprocess),
      tail,
      printed: new PrintedLines(),
    };
  }

  /** Says how the process ended, once, and sees that nothing of what it started stays behind. */
  async #report({ exited, tail, printed, stdout }: Child, onclose: LinkHandlers['onclose']): Promise<void> {
    if (this.#isReported) return;
    this.#isReported = true;
    const grace = sleep<Ending>(EXIT_GRACE_MS, { how: 'closed its output', facts: {} }, { ref: false });
    const { how, facts } = await Promise.race([exited, grace]);
    await Promise.race([tail.ended, grace]);
    const redactor = redactorOf(this.#config);
    const said = tail.lastWords(redactor) || printed.lastWords(redactor);
    const text = said === '' ? how : `${how}; last output: ${said}`;
    stdout.destroy();
    onclose(new ToolsiftError('upstream_exited', text, { facts }));
    await this.close();
  }
}

type Subprocess = ReturnType<typeof spawn>['subprocess'];

/** In an object, since what the library returns is a promise of the end as well. */
function spawn({ command, args, env, cwd }: StdioServerConfig, mark: string) {
  const outer = process.env[MARK_VARIABLE];
  const subprocess = execa(command, args, {
    cwd,
    env: { ...env, [MARK_VARIABLE]: outer === undefined ? mark : `${outer} ${mark}` },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    encoding: 'buffer',
    buffer: false,
    reject: false,
    cleanup: false,
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  return { subprocess };
}

/** The end of the process itself: what it started may hold its pipes for longer. */
function endingOf(subprocess: Subprocess): Promise<Ending> {
  return new Promise((resolve) => {
    subprocess.once('exit', (code: number | null, signal: NodeJS.Signals | null) => {
      if (signal === null)
        resolve({ how: `exited with code ${code}`, facts: code === null ? {} : { exitCode: code } });
      else resolve({ how: `was ended by ${signal}`, facts: { signal } });
    });
  });
}

/** Resolves when nothing has come for a while of what is still to be read; bounded. */
async function lastWordsOf(stdout: Readable): Promise<void> {
  const end = performance.now() + LAST_WORDS_MS;
  let hasCome = true;
  stdout.on('data', () => {
    hasCome = true;
  });
  // What has come may wait until the other side has taken what came before.
  while ((hasCome || stdout.isPaused()) && performance.now() < end) {
    hasCome = false;
    await sleep(EXIT_GRACE_MS, undefined, { ref: false });
  }
}

function keepLog(stderr: Readable, log: ServerLog): void {
  stderr.on('data', (chunk: Buffer) => log.write(chunk));
  stderr.once('close', () => log.close());
}

function requireFolder(cwd: string): void {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new ToolsiftError(
    'server_config_invalid',
    `"cwd" ${cwd} is not a folder; create it or correct the entry`,
  );
}

// Values of an entry's `env` are never shown, this one included.
function describePath(env: StdioServerConfig['env']): string {
  return env.PATH === undefined ? `PATH (${process.env.PATH ?? ''})` : 'the PATH that its "env" sets';
}

// The library's own message quotes the whole command line, and arguments can hold credentials.
function spawnError({ command, env }: StdioServerConfig, code: string | undefined): ToolsiftError {
  if (code === 'ENOENT') {
    const where = /[\\/]/.test(command) ? '' : ` on ${describePath(env)}`;
    return new ToolsiftError(
      'server_config_invalid',
      `command ${JSON.stringify(command)} was not found${where}; install it or correct "command"`,
    );
  }
  if (code === 'EACCES') {
    return new ToolsiftError(
      'server_config_invalid',
      `command ${JSON.stringify(command)} is not executable; allow it with chmod +x, or correct "command"`,
    );
  }
  return new ToolsiftError(
    'upstream_start_failed',
    `command ${JSON.stringify(command)} could not be started (${code})`,
  );
}

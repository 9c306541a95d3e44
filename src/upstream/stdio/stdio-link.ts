import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
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
import type { LiveGroups } from './live-groups.ts';
import { StderrTail } from './stderr-tail.ts';
import { stopProcess } from './stop-process.ts';

/** How long a process that closed its stdout may take to exit before it is reported without an exit code. */
const EXIT_GRACE_MS = 500;

/** How a process ended, in words and as facts. */
interface Ending {
  readonly how: string;
  readonly facts: ErrorFacts;
}

interface Child {
  readonly pid: number;
  readonly stdin: Writable;
  readonly link: Link;
  readonly exited: Promise<Ending>;
  readonly tail: StderrTail;
}

/** A link to an MCP server that runs as a child process of ours, in a process group of its own. */
export class StdioLink implements Link {
  readonly #config: StdioServerConfig;
  readonly #maxMessageBytes: number;
  readonly #groups: LiveGroups;
  readonly #logFolder: string | undefined;
  #child: Child | undefined;
  #stopping: Promise<void> | undefined;

  constructor(config: StdioServerConfig, options: LinkOptions) {
    this.#config = config;
    this.#maxMessageBytes = options.maxMessageBytes;
    this.#groups = options.groups;
    this.#logFolder = config.keepsLog ? options.logFolder : undefined;
  }

  /** @throws ToolsiftError `server_config_invalid` when there is nothing that could be started */
  async start(handlers: LinkHandlers): Promise<void> {
    const { command, args, env, cwd } = this.#config;
    requireFolder(cwd);
    const subprocess = execa(command, args, {
      cwd,
      env,
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
    if (subprocess.pid === undefined) throw spawnError(this.#config, (await subprocess).code);
    this.#child = this.#adopt(
      subprocess.pid,
      subprocess.stdin,
      subprocess.stdout,
      subprocess.stderr,
      async () => {
        const { exitCode, signal } = await subprocess;
        return signal === undefined
          ? { how: `exited with code ${exitCode}`, facts: exitCode === undefined ? {} : { exitCode } }
          : { how: `was ended by ${signal}`, facts: { signal } };
      },
    );
    const child = this.#child;
    await child.link.start({ ...handlers, onclose: () => void this.#report(child, handlers.onclose) });
  }

  send(message: readonly Chunk[], about: About): void {
    this.#child?.link.send(message, about);
  }

  /** Stops the process and everything it started; bounded. */
  close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return Promise.resolve();
    this.#stopping ??= stopProcess(child).finally(() => this.#groups.delete(child.pid));
    return this.#stopping;
  }

  #adopt(
    pid: number,
    stdin: Writable,
    stdout: Readable,
    stderr: Readable,
    exit: () => Promise<Ending>,
  ): Child {
    this.#groups.add(pid);
    const tail = new StderrTail(stderr);
    if (this.#logFolder !== undefined)
      keepLog(stderr, new ServerLog(this.#logFolder, this.#config.name, redactorOf(this.#config)));
    const link = new StreamLink({ input: stdout, output: stdin, maxMessageBytes: this.#maxMessageBytes });
    return { pid, stdin, link, exited: exit(), tail };
  }

  /** Says how the process ended, and sees that nothing of its group stays behind. */
  async #report({ exited, tail }: Child, onclose: LinkHandlers['onclose']): Promise<void> {
    const grace = new Promise<Ending>((resolve) => {
      setTimeout(resolve, EXIT_GRACE_MS, { how: 'closed its output', facts: {} }).unref();
    });
    const { how, facts } = await Promise.race([exited, grace]);
    const said = tail.lastLines(redactorOf(this.#config));
    const text = said === '' ? how : `${how}; last output: ${said}`;
    onclose(new ToolsiftError('upstream_exited', text, { facts }));
    await this.close();
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

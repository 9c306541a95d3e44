// A client of `toolsift mcp` with one remote server, for measurements: lines in, lines out, nothing parsed unasked.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = process.env.TOOLSIFT_TEST_CLI ?? fileURLToPath(new URL('../dist/cli.js', import.meta.url));

export class HttpBenchClient {
  #home = mkdtempSync(join(tmpdir(), 'toolsift-bench-http-'));
  #process;
  #pending = new Map();
  #parts = [];
  #lastId = 0;
  stderr = '';

  constructor(entry) {
    const config = join(this.#home, 'toolsift.json');
    writeFileSync(config, JSON.stringify({ servers: { remote: entry } }));
    const env = { ...process.env, HOME: this.#home, XDG_CACHE_HOME: this.#home, XDG_CONFIG_HOME: this.#home };
    this.#process = spawn(process.execPath, [CLI, 'mcp', '--config', config], { env, stdio: 'pipe' });
    this.#process.stdout.on('data', (chunk) => this.#read(chunk));
    this.#process.stderr.setEncoding('utf8').on('data', (text) => {
      this.stderr = (this.stderr + text).slice(-4000);
    });
    this.#process.stdin.on('error', () => {});
    this.#process.on('exit', () => {
      for (const { reject } of this.#pending.values()) reject(new Error(`toolsift ended: ${this.stderr}`));
    });
  }

  get pid() {
    return this.#process.pid;
  }

  async initialize() {
    const clientInfo = { name: 'bench', version: '1' };
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.#write({ method: 'notifications/initialized' });
    for (;;) {
      const servers = JSON.parse(await this.request('tools/call', { name: 'list_servers', arguments: {} }));
      if (JSON.parse(servers.result.content[0].text).servers[0].tools > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Resolves with the line of the answer. */
  request(method, params) {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#write({ id, method, params });
    });
  }

  invoke(name, args) {
    return this.request('tools/call', {
      name: 'invoke_tool',
      arguments: { server: 'remote', name, arguments: args },
    });
  }

  /** Ends stdin and waits; says whether the process left by itself. */
  async close() {
    const exited = once(this.#process, 'exit');
    this.#process.stdin.end();
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), 10_000);
    const [code] = await exited;
    clearTimeout(timer);
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 3 });
    return code !== null;
  }

  #write(message) {
    this.#process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #read(chunk) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...this.#parts, chunk.subarray(start, end)]);
      this.#parts = [];
      start = end + 1;
      const ends = `${line.toString('latin1', 0, 64)} ${line.toString('latin1', Math.max(0, line.length - 64))}`;
      const id = Number(/"id":(\d+)/.exec(ends)?.[1]);
      this.#pending.get(id)?.resolve(line);
      this.#pending.delete(id);
    }
    this.#parts.push(chunk.subarray(start));
  }
}

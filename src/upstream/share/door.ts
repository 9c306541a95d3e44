import { once } from 'node:events';
import { chmodSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Link } from '../../jsonrpc/link.ts';
import { type OwnerState, sendControl } from './control.ts';
import { Guest } from './guest.ts';
import { SocketLink } from './socket-link.ts';
import { socketPath } from './socket-name.ts';

const OWNER_ONLY = 0o600;

/** The IPC socket a process listens on, and what it tells those who connect about itself. */
export class Door {
  /** Somebody has come in; only called while the door is open. */
  onguest: (link: Link) => void = () => {};
  readonly #server: Server;
  readonly #file: string | undefined;
  readonly #guests = new Set<Guest>();
  #state: OwnerState = 'candidate';

  private constructor(server: Server, file: string | undefined) {
    this.#server = server;
    this.#file = file;
    server.on('connection', (socket) => this.#welcome(socket));
  }

  /**
   * Listens on a file that exists only while somebody listens on it, or is a remainder of a process that was killed:
   * it gets its name after the fact, so that a refused connection is proof of death.
   */
  static async atFile(folder: string, name: string): Promise<Door> {
    const hidden = socketPath(folder, `.${name}`);
    const file = socketPath(folder, name);
    const door = new Door(await listen(hidden), file);
    chmodSync(hidden, OWNER_ONLY);
    renameSync(hidden, file);
    return door;
  }

  /** Listens on a named pipe. @throws the error of `listen`, `EADDRINUSE` when another process has it */
  static async atPipe(pipe: string): Promise<Door> {
    return new Door(await listen(pipe), undefined);
  }

  /** Tells those outside and lets them in when it is open. Whoever is in already stays. */
  declare(state: OwnerState): void {
    this.#state = state;
    if (state !== 'open') return;
    for (const guest of this.#guests) this.#admit(guest);
  }

  /** Nobody comes in any more, and everybody is out; bounded. */
  async close(): Promise<void> {
    if (this.#file !== undefined) rmSync(this.#file, { force: true });
    this.#server.close();
    await Promise.all([...this.#guests].map((guest) => guest.close()));
  }

  #welcome(socket: Socket): void {
    const guest = new Guest(new SocketLink(socket));
    this.#guests.add(guest);
    socket.once('close', () => this.#guests.delete(guest));
    if (this.#state === 'open') this.#admit(guest);
    else this.#tell(guest);
  }

  #admit(guest: Guest): void {
    this.onguest(guest);
    this.#tell(guest);
  }

  #tell(guest: Guest): void {
    sendControl(guest, { kind: 'state', state: this.#state, pid: process.pid });
  }
}

async function listen(path: string): Promise<Server> {
  const server = createServer();
  server.listen(path);
  await once(server, 'listening');
  server.on('error', () => {
    // A connection that could not be accepted; whoever made it notices.
  });
  return server;
}

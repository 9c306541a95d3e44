import { stringMember } from '../../json/members.ts';
import {
  at,
  type NotificationFrame,
  type RequestFrame,
  type ResponseFrame,
  valueAt,
} from '../../jsonrpc/frame.ts';
import type { IncomingRequest } from '../../jsonrpc/incoming-request.ts';
import type { Peer } from '../../jsonrpc/peer.ts';
import { INVALID_PARAMS } from '../../mcp/error-codes.ts';
import { LIST_TASKS, TASK_STATUS } from '../../mcp/methods.ts';
import type { Owners } from '../lists/owners.ts';
import type { ConnectionView, UpstreamViews } from '../upstream-view.ts';
import { forwardToOwner } from './forward-to-owner.ts';

/** A server that takes longer to list its tasks does not keep those of the others from being shown. */
const LIST_MS = 1500;

export interface TasksOptions {
  readonly upstreams: UpstreamViews;
  readonly client: Peer;
  readonly owners: Owners;
  /** Whether the servers have other clients as well, whose tasks are none of this one's business. */
  readonly listsOnlyOwn: boolean;
}

/** Which server runs which task (protocol 2025-11-25), learnt from the answers that announce them. */
export class Tasks {
  readonly #upstreams: UpstreamViews;
  readonly #client: Peer;
  readonly #owners: Owners;
  readonly #listsOnlyOwn: boolean;

  constructor({ upstreams, client, owners, listsOnlyOwn }: TasksOptions) {
    this.#upstreams = upstreams;
    this.#client = client;
    this.#owners = owners;
    this.#listsOnlyOwn = listsOnlyOwn;
  }

  /**
   * Reads the task id off the answer to a call that asked to run as a task.
   *
   * @returns the server that has a task of this id already, if that is another one
   */
  learn(server: string, call: RequestFrame, answer: ResponseFrame): string | undefined {
    if (at(call, 'params', 'task') === undefined) return undefined;
    const id = valueAt(answer, 'result', 'task', 'taskId');
    if (typeof id !== 'string') return undefined;
    const owner = this.#owners.claim(id, server, (other) => this.#upstreams.has(other));
    if (owner === undefined) this.#upstreams.get(server)?.connection?.taskMade(id);
    return owner;
  }

  /** Tells an upstream that has come up, or has got to know the client, which of its tasks are the client's. */
  restore(server: string, connection: ConnectionView): void {
    for (const [id, owner] of this.#owners.entries) if (owner === server) connection.taskMade(id);
  }

  /** Whether a server speaks of the state of a task that is another server's. */
  isOfAnother(notification: NotificationFrame, server: string): boolean {
    if (notification.method !== TASK_STATUS) return false;
    const id = valueAt(notification, 'params', 'taskId');
    const owner = typeof id === 'string' ? this.#owners.ownerOf(id) : undefined;
    return owner !== undefined && owner !== server;
  }

  /** Routes `tasks/get`, `tasks/result` and `tasks/cancel`. */
  async route(request: IncomingRequest): Promise<void> {
    const { frame } = request;
    const id = valueAt(frame, 'params', 'taskId');
    const upstream = this.#upstreams.get(this.#owners.ownerOf(String(id)) ?? '');
    if (upstream === undefined) request.error(INVALID_PARAMS, `Unknown task: ${String(id)}`);
    else await forwardToOwner({ request, client: this.#client, upstream });
  }

  /** Answers `tasks/list` with the tasks of all running servers that have any. */
  async list(request: IncomingRequest): Promise<void> {
    const lists = [...this.#upstreams.values()].map(async ({ name, connection }) => {
      if (connection?.capabilities.has('tasks') !== true) return [];
      // A server that cannot list its tasks, or takes too long, has none to show; the others do.
      const listed = connection.listAll(LIST_TASKS, 'tasks').catch(() => []);
      const tasks = await Promise.race([listed, nothingAfter(LIST_MS)]);
      return this.#listsOnlyOwn ? tasks.filter((task) => this.#isOwn(name, task)) : tasks;
    });
    const tasks = (await Promise.all(lists)).flat();
    request.result(`{"tasks":[${tasks.join(',')}]}`);
  }

  #isOwn(server: string, task: string): boolean {
    const id = stringMember(task, 'taskId');
    return id !== undefined && this.#owners.ownerOf(id) === server;
  }
}

function nothingAfter(ms: number): Promise<string[]> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, []).unref();
  });
}

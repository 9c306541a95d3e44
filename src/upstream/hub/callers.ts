import {
  at,
  idOf,
  type NotificationFrame,
  type RequestFrame,
  type ResponseFrame,
  textOf,
  valueAt,
} from '../../jsonrpc/frame.ts';
import { isHousekeeping } from '../../mcp/methods.ts';

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

interface OpenCall<Session> {
  readonly session: Session;
  /** The number in its id, and in its progress token, as the server knows them. */
  readonly number: string;
}

/** Which session's call a request of the server belongs to. The protocol over stdio does not say; this is as close as one gets. */
export class Callers<Session> {
  /** In the order they were made. */
  readonly #open = new Set<OpenCall<Session>>();
  readonly #tasks = new Map<string, Session>();

  /** A call was sent to the server; the returned function says that it is over. */
  opened(session: Session, id: string, method: string): () => void {
    if (isHousekeeping(method)) return () => {};
    const call = { session, number: bare(id) };
    this.#open.add(call);
    return () => this.#open.delete(call);
  }

  /** The server answered a call: it may have made a task of it. */
  answered(session: Session, call: RequestFrame, answer: ResponseFrame): void {
    if (at(call, 'params', 'task') === undefined) return;
    const id = valueAt(answer, 'result', 'task', 'taskId');
    if (typeof id === 'string') this.#tasks.set(id, session);
  }

  left(session: Session): void {
    for (const call of this.#open) if (call.session === session) this.#open.delete(call);
    for (const [id, owner] of this.#tasks) if (owner === session) this.#tasks.delete(id);
  }

  /** The session that caused a request of the server: by what it relates to, else the latest with an open call. */
  callerOf(request: RequestFrame): Session | undefined {
    const task = this.#tasks.get(String(valueAt(request, 'params', '_meta', RELATED_TASK, 'taskId')));
    if (task !== undefined) return task;
    const calls = [...this.#open];
    const token = at(request, 'params', '_meta', 'progressToken');
    // Most servers ask for progress under the id of their own request, which says nothing of the call.
    const isHint = token !== undefined && textOf(request, token) !== idOf(request);
    const hinted = isHint ? bare(textOf(request, token)) : undefined;
    return (calls.find(({ number }) => number === hinted) ?? calls.at(-1))?.session;
  }

  /** The session whose task a notification is about. */
  ownerOfTask(notification: NotificationFrame): Session | undefined {
    return this.#tasks.get(String(valueAt(notification, 'params', 'taskId')));
  }
}

/** Ids and tokens of one request may differ in their JSON type. */
function bare(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1) : text;
}

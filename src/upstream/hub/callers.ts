import { at, idOf, type NotificationFrame, type RequestFrame, textOf, valueAt } from '../../jsonrpc/frame.ts';
import type { IncomingRequest } from '../../jsonrpc/incoming-request.ts';
import { isHousekeeping } from '../../mcp/methods.ts';

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** A call that a server is at work on. */
export interface OpenCall<Member> {
  readonly member: Member;
  /** The number in its id, and in its progress token, as the server knows them. */
  readonly number: string;
  /** The call as the member made it; undefined where it is one of our own. */
  readonly request: IncomingRequest | undefined;
}

/** Whose call a message of the server belongs to. Over HTTP its stream says so; over stdio this is as close as one gets. */
export class Callers<Member> {
  /** In the order they were made. */
  readonly #open = new Set<OpenCall<Member>>();
  readonly #tasks = new Map<string, Member>();

  /** A call was sent to the server; the returned function says that it is over. */
  opened(member: Member, id: string, method: string, request?: IncomingRequest): () => void {
    if (isHousekeeping(method)) return () => {};
    const call = { member, number: bare(id), request };
    this.#open.add(call);
    return () => this.#open.delete(call);
  }

  /** The server has made a task for a member. */
  taskMade(member: Member, taskId: string): void {
    this.#tasks.set(taskId, member);
  }

  left(member: Member): void {
    for (const call of this.#open) if (call.member === member) this.#open.delete(call);
    for (const [id, owner] of this.#tasks) if (owner === member) this.#tasks.delete(id);
  }

  /** The call in whose course a server asks something: by what it says, else the latest that is open. */
  callOf(request: RequestFrame): OpenCall<Member> | undefined {
    const certain = this.callOfStream(request);
    if (certain !== undefined) return certain;
    const calls = [...this.#open];
    const task = valueAt(request, 'params', '_meta', RELATED_TASK, 'taskId');
    const owner = typeof task === 'string' ? this.#tasks.get(task) : undefined;
    if (owner !== undefined)
      return (
        calls.findLast(({ member }) => member === owner) ?? { member: owner, number: '', request: undefined }
      );
    const token = at(request, 'params', '_meta', 'progressToken');
    // Most servers ask for progress under the id of their own request, which says nothing of the call.
    const isHint = token !== undefined && textOf(request, token) !== idOf(request);
    const hinted = isHint ? bare(textOf(request, token)) : undefined;
    return calls.find(({ number }) => number === hinted) ?? calls.at(-1);
  }

  /** The call on whose own stream a message came, where the transport has one for each call, as HTTP does. */
  callOfStream({ origin }: RequestFrame | NotificationFrame): OpenCall<Member> | undefined {
    const number = origin?.relatedRequest;
    if (number === undefined) return undefined;
    return [...this.#open].find((call) => call.number === bare(number));
  }

  /** The member that caused a request of the server. */
  callerOf(request: RequestFrame): Member | undefined {
    return this.callOf(request)?.member;
  }

  /** Those with a call that is open. */
  get busy(): ReadonlySet<Member> {
    return new Set([...this.#open].map(({ member }) => member));
  }

  /** Whose task a notification is about. */
  ownerOfTask(notification: NotificationFrame): Member | undefined {
    return this.#tasks.get(String(valueAt(notification, 'params', 'taskId')));
  }
}

/** Ids and tokens of one request may differ in their JSON type. */
function bare(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1) : text;
}

import { memberOf } from '../../json/members.ts';
import type { Edit } from '../../json/splice.ts';
import { membersIn, type NotificationFrame, parsePart, textOf } from '../../jsonrpc/frame.ts';
import type { IncomingRequest } from '../../jsonrpc/incoming-request.ts';
import type { ConnectionView, UpstreamViews } from '../upstream-view.ts';

/** The log level the client asked for, for upstreams of now and later. */
export class LogLevelRelay {
  readonly #upstreams: UpstreamViews;
  readonly #state: { logLevel: string | undefined };

  constructor(upstreams: UpstreamViews, state: { logLevel: string | undefined }) {
    this.#upstreams = upstreams;
    this.#state = state;
  }

  /** Answers `logging/setLevel` and tells every upstream that logs. */
  setLevel(request: IncomingRequest): void {
    const { frame } = request;
    this.#state.logLevel = frame.params === undefined ? '{}' : textOf(frame, frame.params);
    for (const { connection } of this.#upstreams.values())
      if (connection !== undefined) this.tell(connection);
    request.result('{}');
  }

  /** Tells an upstream that has just come up. */
  tell(connection: ConnectionView): void {
    const { logLevel } = this.#state;
    if (logLevel !== undefined && connection.capabilities.has('logging')) connection.setLogLevel(logLevel);
  }
}

/** Puts the server's name into the `logger` of a `notifications/message`: `github`, or `github/its-own-logger`. */
export function withServerName(frame: NotificationFrame, server: string): Edit[] {
  const params = membersIn(frame, 'params');
  const logger = memberOf(params, 'logger');
  if (logger !== undefined) {
    const own = parsePart(frame, logger);
    return [{ span: logger, text: JSON.stringify(typeof own === 'string' ? `${server}/${own}` : server) }];
  }
  if (frame.params === undefined || params.length === 0) return [];
  const at = frame.params.start + 1;
  return [{ span: { start: at, end: at }, text: `"logger":${JSON.stringify(server)},` }];
}

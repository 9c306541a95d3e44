import { joinChunks } from '../../json/splice.ts';
import type { NotificationFrame } from '../../jsonrpc/frame.ts';
import { writeNotification } from '../../jsonrpc/message.ts';
import { TOOLS_LIST_CHANGED } from '../../mcp/list-changed.ts';
import { INITIALIZED, PING } from '../../mcp/methods.ts';

const PING_ID = '"still-there"';

/** Asks whether a session is still known; under an id that no request of the client can have. */
export const PING_REQUEST = {
  id: PING_ID,
  bytes: Buffer.from(`{"jsonrpc":"2.0","id":${PING_ID},"method":"${PING}"}`),
};

export function initialized(): Buffer {
  return joinChunks(writeNotification(INITIALIZED).chunks);
}

/** What a server would say whose lists have changed. */
export function listsChanged(): NotificationFrame {
  const bytes = joinChunks(writeNotification(TOOLS_LIST_CHANGED).chunks);
  return { kind: 'notification', bytes, method: TOOLS_LIST_CHANGED, params: undefined };
}

import type {
  ClientNotification,
  ClientRequest,
  ServerNotification,
  ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';

/** Every method the protocol has, in either direction. */
export type Method = (ClientNotification | ClientRequest | ServerNotification | ServerRequest)['method'];

export const INITIALIZE = 'initialize' satisfies Method;
export const INITIALIZED = 'notifications/initialized' satisfies Method;
export const PING = 'ping' satisfies Method;
export const CANCELLED = 'notifications/cancelled' satisfies Method;
export const PROGRESS = 'notifications/progress' satisfies Method;

export const LIST_TOOLS = 'tools/list' satisfies Method;
export const CALL_TOOL = 'tools/call' satisfies Method;

export const LIST_RESOURCES = 'resources/list' satisfies Method;
export const LIST_RESOURCE_TEMPLATES = 'resources/templates/list' satisfies Method;
export const READ_RESOURCE = 'resources/read' satisfies Method;
export const SUBSCRIBE = 'resources/subscribe' satisfies Method;
export const UNSUBSCRIBE = 'resources/unsubscribe' satisfies Method;
export const RESOURCE_UPDATED = 'notifications/resources/updated' satisfies Method;

export const LIST_PROMPTS = 'prompts/list' satisfies Method;
export const GET_PROMPT = 'prompts/get' satisfies Method;
export const COMPLETE = 'completion/complete' satisfies Method;

export const SET_LOG_LEVEL = 'logging/setLevel' satisfies Method;
export const LOG_MESSAGE = 'notifications/message' satisfies Method;

export const LIST_TASKS = 'tasks/list' satisfies Method;
export const GET_TASK = 'tasks/get' satisfies Method;
export const GET_TASK_RESULT = 'tasks/result' satisfies Method;
export const CANCEL_TASK = 'tasks/cancel' satisfies Method;
export const TASK_STATUS = 'notifications/tasks/status' satisfies Method;

export const CREATE_MESSAGE = 'sampling/createMessage' satisfies Method;
export const ELICIT = 'elicitation/create' satisfies Method;
export const LIST_ROOTS = 'roots/list' satisfies Method;
export const ROOTS_LIST_CHANGED = 'notifications/roots/list_changed' satisfies Method;

const HOUSEKEEPING: ReadonlySet<string> = new Set([PING, SET_LOG_LEVEL, SUBSCRIBE, UNSUBSCRIBE]);

/** Whether a request is one in whose course a server has no reason to ask anything. */
export function isHousekeeping(method: string): boolean {
  return HOUSEKEEPING.has(method) || method.endsWith('/list');
}

import { expect, it } from 'vitest';
import { Callers } from '../../../src/upstream/hub/callers.ts';
import { notificationFrame, requestFrame } from '../../jsonrpc/messages.ts';

const request = (message: object) => requestFrame(JSON.stringify({ jsonrpc: '2.0', ...message }));
const notification = (message: object) => notificationFrame(JSON.stringify({ jsonrpc: '2.0', ...message }));
const asks = (meta?: object) =>
  request({ id: 9, method: 'elicitation/create', params: meta === undefined ? {} : { _meta: meta } });

it('names the session whose call is open, the latest of several', () => {
  const callers = new Callers<string>();
  expect(callers.callerOf(asks())).toBeUndefined();
  const over = callers.opened('one', '1', 'tools/call');
  expect(callers.callerOf(asks())).toBe('one');
  const overToo = callers.opened('two', '2', 'prompts/get');
  expect(callers.callerOf(asks())).toBe('two');
  overToo();
  expect(callers.callerOf(asks())).toBe('one');
  over();
  expect(callers.callerOf(asks())).toBeUndefined();
});

it.each(['ping', 'tools/list', 'resources/templates/list', 'logging/setLevel', 'resources/subscribe'])(
  'does not take %s for a call',
  (method) => {
    const callers = new Callers<string>();
    callers.opened('one', '1', method);
    expect(callers.callerOf(asks())).toBeUndefined();
  },
);

it('follows the progress token of a call, but not one the server made for its own request', () => {
  const callers = new Callers<string>();
  callers.opened('one', '9', 'tools/call');
  callers.opened('two', '"10"', 'tools/call');
  callers.opened('three', '11', 'tools/call');
  expect(callers.callerOf(asks({ progressToken: '10' }))).toBe('two');
  expect(callers.callerOf(asks({ progressToken: 10 }))).toBe('two');
  expect(callers.callerOf(asks({ progressToken: 9 }))).toBe('three');
});

it('follows the task that a request or a notification is about', () => {
  const callers = new Callers<string>();
  callers.taskMade('one', 't');
  callers.opened('two', '2', 'tools/call');
  expect(callers.callerOf(asks({ 'io.modelcontextprotocol/related-task': { taskId: 't' } }))).toBe('one');
  expect(
    callers.ownerOfTask(notification({ method: 'notifications/tasks/status', params: { taskId: 't' } })),
  ).toBe('one');
  callers.left('one');
  expect(callers.callerOf(asks({ 'io.modelcontextprotocol/related-task': { taskId: 't' } }))).toBe('two');
});

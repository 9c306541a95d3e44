import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Joins one HTTP session with one process that speaks stdio; no id is touched. What the process sends on its own
 * accord while a call is open belongs to that call's stream.
 */
export async function bridgeToStdio(
  transport: StreamableHTTPServerTransport,
  { command, args, env }: Command,
): Promise<() => Promise<void>> {
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const openRequests = new Set<RequestId>();

  createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    const message = JSON.parse(line) as JSONRPCMessage;
    const isAnswer = !('method' in message);
    if (isAnswer && message.id !== undefined) openRequests.delete(message.id);
    const relatedRequestId = isAnswer ? undefined : [...openRequests].at(-1);
    void transport.send(message, relatedRequestId === undefined ? {} : { relatedRequestId });
  });
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) openRequests.add(message.id);
    child.stdin.write(`${JSON.stringify(message)}\n`);
  };
  await transport.start();
  return async () => {
    child.stdin.end();
    await ended;
    await transport.close();
  };
}

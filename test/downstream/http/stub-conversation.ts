import { type Frame, idOf, type RequestFrame, valueAt } from '../../../src/jsonrpc/frame.ts';
import type { Link, LinkFault } from '../../../src/jsonrpc/link.ts';

/** A conversation that answers as the test wants it, and remembers what came. */
export class StubConversation {
  readonly link: Link;
  readonly frames: Frame[] = [];
  readonly faults: LinkFault[] = [];
  closeReason: Error | undefined;
  /** Ids of requests that wait for the test to answer them. */
  readonly waiting: string[] = [];

  constructor(link: Link) {
    this.link = link;
    void link.start({
      onframe: (frame) => this.#receive(frame),
      onfault: (fault) => this.faults.push(fault),
      onclose: (reason) => {
        this.closeReason = reason;
      },
    });
  }

  answer(id: string, result: string): void {
    this.link.send([`{"jsonrpc":"2.0","id":${id},"result":${result}}`], { kind: 'response', id });
  }

  notify(method: string, params = '{}', relatedRequest?: string): void {
    this.link.send([`{"jsonrpc":"2.0","method":"${method}","params":${params}}`], {
      kind: 'notification',
      method,
      relatedRequest,
    });
  }

  ask(id: string, method: string, params = '{}', relatedRequest?: string): void {
    this.link.send([`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`], {
      kind: 'request',
      id,
      method,
      relatedRequest,
    });
  }

  #receive(frame: Frame): void {
    this.frames.push(frame);
    if (frame.kind !== 'request') return;
    const id = idOf(frame);
    if (frame.method === 'initialize') {
      const version = valueAt(frame, 'params', 'protocolVersion');
      this.answer(
        id,
        JSON.stringify({
          protocolVersion: version,
          capabilities: { tools: { listChanged: true }, logging: {} },
          serverInfo: { name: 'stub', version: '1' },
        }),
      );
    } else if (frame.method === 'ping') this.answer(id, '{}');
    else if (frame.method === 'tools/list') {
      this.answer(id, '{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}');
    } else if (frame.method === 'tools/call') this.#call(id, frame);
    else this.waiting.push(id);
  }

  #call(id: string, frame: RequestFrame): void {
    const name = valueAt(frame, 'params', 'name');
    const token = valueAt(frame, 'params', '_meta', 'progressToken');
    if (name === 'progress') {
      for (const progress of [1, 2, 3]) {
        this.notify(
          'notifications/progress',
          JSON.stringify({ progressToken: token, progress, total: 3 }),
          id,
        );
      }
    }
    if (name === 'ask') {
      this.ask(
        '"q1"',
        'elicitation/create',
        '{"message":"why?","requestedSchema":{"type":"object","properties":{}}}',
        id,
      );
    }
    if (name === 'ask' || name === 'wait') this.waiting.push(id);
    else {
      const text = JSON.stringify(JSON.stringify(valueAt(frame, 'params')));
      this.answer(id, `{"content":[{"type":"text","text":${text}}]}`);
    }
  }
}

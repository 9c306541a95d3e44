import { ToolsiftError } from '../../src/errors.ts';
import type { Connection } from '../../src/upstream/connection.ts';
import { Hub } from '../../src/upstream/hub/hub.ts';
import { Supervisor } from '../../src/upstream/supervisor.ts';
import type { SupervisorOptions } from '../../src/upstream/supervisor-options.ts';
import { ignoring, peerOn, TestLink } from '../jsonrpc/messages.ts';
import { FakeClock, settled } from './fake-clock.ts';

/** One start of an upstream that the test decides about. */
export interface Start {
  readonly signal: AbortSignal;
  /** The start succeeds; the connection counts its closings. */
  succeed(): Promise<FakeConnection>;
  fail(error: unknown): Promise<void>;
  /** The session ends, at whatever time. */
  end(reason?: ToolsiftError): Promise<void>;
}

export interface FakeConnection extends Connection {
  closings: number;
}

export const exited = (code = 1) => new ToolsiftError('upstream_exited', `exited with code ${code}`);

/** What the tests' client says of itself. */
export const PARAMS = '{"capabilities":{}}';

export const POLICY = {
  intensity: 3,
  periodMs: 60_000,
  firstDelayMs: 1000,
  maxDelayMs: 8000,
  stableMs: 10_000,
};

/** A supervisor whose starts wait for the test. */
export function supervise(more: Partial<SupervisorOptions> = {}) {
  const clock = new FakeClock();
  const starts: Start[] = [];
  const states: string[] = [];
  const ready: Connection[] = [];
  const supervisor = new Supervisor({
    name: 'x',
    policy: POLICY,
    clock,
    open: ({ signal, onclose }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        starts.push(startOf(signal, resolve, reject, onclose));
      }),
    onready: (connection) => ready.push(connection),
    onstatus: ({ state }) => states.push(state),
    isWantedUnasked: () => true,
    ...more,
  });
  const start = (index = starts.length - 1): Start => {
    const found = starts[index];
    if (found === undefined) throw new Error(`there was no start ${index}`);
    return found;
  };
  return { supervisor, clock, starts, start, states, ready };
}

export function fakeConnection(): FakeConnection {
  const peer = peerOn(new TestLink(), ignoring);
  return {
    peer,
    hub: new Hub(peer, new Set()),
    initializeResult: '{}',
    capabilities: new Set(),
    listAll: async () => [],
    isUsedByOthers: false,
    initializeParams: '{}',
    closings: 0,
    async close() {
      this.closings++;
    },
  };
}

function startOf(
  signal: AbortSignal,
  resolve: (connection: Connection) => void,
  reject: (error: unknown) => void,
  onclose: (reason: ToolsiftError) => void,
): Start {
  return {
    signal,
    succeed: async () => {
      const connection = fakeConnection();
      resolve(connection);
      await settled();
      return connection;
    },
    fail: async (error) => {
      reject(error);
      await settled();
    },
    end: async (reason = exited()) => {
      onclose(reason);
      await settled();
    },
  };
}

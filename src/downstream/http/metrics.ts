import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observer } from './observer.ts';
import type { RequestRecord } from './request-record.ts';

const DURATION_BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600];
/** What else a client may call its method is none of our labels. */
const METHODS = new Set(['GET', 'POST', 'DELETE', 'OPTIONS']);

export interface MetricsOptions {
  readonly sessions: () => number;
  readonly openCalls: () => number;
  /** State of each upstream, by name. */
  readonly upstreams: () => Iterable<readonly [name: string, state: string]>;
}

/** What happens, in the format of Prometheus. */
export class Metrics implements Observer {
  readonly #registry = new Registry();
  readonly #requests: Counter<'method' | 'status'>;
  readonly #durations: Histogram<'method'>;

  constructor({ sessions, openCalls, upstreams }: MetricsOptions) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Counter({
      name: 'toolsift_http_requests_total',
      help: 'HTTP requests that are over, by method and status; status 0 where the client left first.',
      labelNames: ['method', 'status'],
      registers,
    });
    this.#durations = new Histogram({
      name: 'toolsift_http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its answer; streams of events included.',
      labelNames: ['method'],
      buckets: DURATION_BUCKETS_SECONDS,
      registers,
    });
    this.#gauge('toolsift_sessions', 'Sessions of clients.', sessions);
    this.#gauge('toolsift_open_calls', 'Requests of clients without an answer yet.', openCalls);
    new Gauge({
      name: 'toolsift_upstream_state',
      help: 'State of each server: 1 for the state it is in.',
      labelNames: ['server', 'state'],
      registers,
      collect() {
        this.reset();
        for (const [server, state] of upstreams()) this.set({ server, state }, 1);
      },
    });
  }

  onrequest({ method, status, durationMs }: RequestRecord): void {
    const known = METHODS.has(method) ? method : 'other';
    this.#requests.inc({ method: known, status: String(status) });
    this.#durations.observe({ method: known }, durationMs / 1000);
  }

  async metrics(): Promise<{ type: string; text: string }> {
    return { type: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  #gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(value());
      },
    });
  }
}

import type { RequestRecord } from './request-record.ts';

/** Counts what happens, and tells it to whoever watches. */
export interface Observer {
  onrequest(record: RequestRecord): void;
  metrics(): Promise<{ readonly type: string; readonly text: string }>;
}

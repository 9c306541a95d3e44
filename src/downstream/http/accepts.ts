/** What a client takes for an answer. */
export interface Accepts {
  readonly json: boolean;
  readonly events: boolean;
}

/** Reads an `Accept` header; without one everything is taken. */
export function readAccepts(header: string | undefined): Accepts {
  if (header === undefined) return { json: true, events: true };
  const types = header
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*(;|$)/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim().toLowerCase());
  const takes = (...ranges: string[]) => ranges.some((range) => types.includes(range));
  return {
    json: takes('application/json', 'application/*', '*/*'),
    events: takes('text/event-stream', 'text/*', '*/*'),
  };
}

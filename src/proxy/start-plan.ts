/** What to do about a server when a client has said hello. */
export type StartPlan = 'now' | 'refresh-later' | 'on-demand';

export interface StartFacts {
  readonly start: 'on-demand' | 'eager';
  /** Age after which what is known of a server is read anew in the background. */
  readonly refreshAfterMs: number;
  /** What earlier sessions have left: when it was read, and whether for a client like this one. */
  readonly known: { readonly readAt: number; readonly isExact: boolean } | undefined;
}

/** A server nobody knows is started, to be listed; a known one waits for its first call. */
export function planStart({ start, refreshAfterMs, known }: StartFacts, now: number): StartPlan {
  if (start === 'eager' || known === undefined) return 'now';
  return !known.isExact || now - known.readAt > refreshAfterMs ? 'refresh-later' : 'on-demand';
}

const POLL_MS = 15;

/** Resolves with the first truthy value of `condition`; rejects with what was waited for when time is up. */
export async function waitFor<Value>(
  what: string,
  condition: () => Value | Promise<Value>,
  limitMs = 10_000,
): Promise<Exclude<Value, null | undefined | false>> {
  const end = performance.now() + limitMs;
  let lastError: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value) return value as Exclude<Value, null | undefined | false>;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() > end) {
      throw new Error(`waited ${limitMs} ms in vain for: ${what}`, { cause: lastError });
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Rejects when `promise` has not settled in time. Leaves no timer behind. */
export async function within<Value>(what: string, limitMs: number, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${limitMs} ms: ${what}`)), limitMs);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}

import { matchesGlob } from './glob.ts';

/** A way to read a pattern: which servers it is about, and what of them. */
interface Reading {
  readonly server: string;
  readonly item: string;
}

/**
 * A pattern over what servers have: `"server/item"`, with `*` for any run of characters in either half, or
 * `"server"` for all that a server has. An item is the name of a tool or a prompt, or the URI of a resource.
 *
 * Names and URIs may hold slashes themselves, so every slash is tried as the one in between.
 */
export class ServerPattern {
  readonly #readings: readonly Reading[];

  constructor(pattern: string) {
    const slashes = [...pattern.matchAll(/\//g)].map(({ index }) => index);
    // "docs/*" is about the server "docs", not about those whose names begin so.
    const isServer = slashes.length === 0 || !pattern.includes('*');
    this.#readings = [
      ...(isServer ? [{ server: pattern, item: '*' }] : []),
      ...slashes.map((at) => ({ server: pattern.slice(0, at), item: pattern.slice(at + 1) })),
    ];
  }

  matches(server: string, item: string): boolean {
    return this.#readings.some((one) => matchesGlob(one.item, item) && matchesGlob(one.server, server));
  }

  /** Whether it is about anything the server may have. */
  touches(server: string): boolean {
    return this.#readings.some((one) => matchesGlob(one.server, server));
  }

  /** Whether it is about everything the server may have. */
  covers(server: string): boolean {
    return this.#readings.some((one) => /^\*+$/.test(one.item) && matchesGlob(one.server, server));
  }
}

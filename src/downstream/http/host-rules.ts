import { isIP } from 'node:net';

export interface HostRulesOptions {
  /** Where we listen. */
  readonly host: string;
  /** Names by which we may be called besides, without a port; `*` for any. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may speak to us, as browsers spell them, e.g. `https://app.example.com`; `*` for any. */
  readonly allowedOrigins: readonly string[];
}

/** Which `Host` and `Origin` a request may have: a page that rebinds its name to our address is told by them. */
export class HostRules {
  readonly #isLoopback: boolean;
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  constructor({ host, allowedHosts, allowedOrigins }: HostRulesOptions) {
    this.#isLoopback = isLoopback(host);
    this.#hosts = new Set([host, ...allowedHosts].map((name) => name.toLowerCase()));
    this.#origins = new Set(allowedOrigins);
  }

  allowsHost(header: string | undefined): boolean {
    const name = hostNameOf(`http://${header ?? ''}`);
    if (name === undefined) return false;
    if (this.#hosts.has('*') || this.#hosts.has(name) || isLoopback(name)) return true;
    // Only names can be bound to another address.
    return !this.#isLoopback && isIP(name) !== 0;
  }

  /** @param host the `Host` of the same request: a page of ours may speak to us */
  allowsOrigin(origin: string | undefined, host: string | undefined): boolean {
    if (origin === undefined || this.isConfigured(origin)) return true;
    const name = hostNameOf(origin);
    if (name === undefined) return false;
    if (origin === `http://${host}` || origin === `https://${host}`) return true;
    return this.#isLoopback && isLoopback(name);
  }

  /** Whether the configuration allows its pages to read what we answer. */
  isConfigured(origin: string): boolean {
    return this.#origins.has('*') || this.#origins.has(origin);
  }
}

/** Whether a host name or address leads to this machine and no other. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function hostNameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, username, pathname } = new URL(url);
  if (hostname === '' || username !== '' || pathname !== '/') return undefined;
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

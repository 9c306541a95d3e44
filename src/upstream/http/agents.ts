import { Agent, type AgentOptions, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { basicCredentials } from './basic-credentials.ts';
import { proxyFor } from './proxy-env.ts';

const AGENT_OPTIONS: AgentOptions = {
  keepAlive: true,
  // Shorter than servers keep idle connections, so that a call is not sent into one that is just being closed.
  timeout: 4000,
};

export interface Route {
  readonly agent: Agent;
  readonly isSecure: boolean;
  /** Where to connect, and the path to ask for there. */
  readonly target: { readonly [key: string]: unknown };
  readonly headers: Readonly<Record<string, string>>;
}

/** The connections to one server: kept alive between requests, through a proxy where the environment names one. */
export class HttpAgents {
  readonly #env: NodeJS.ProcessEnv;
  readonly #agents = new Map<string, Agent>();

  constructor(env: NodeJS.ProcessEnv = process.env) {
    this.#env = env;
  }

  /** @throws ToolsiftError when the proxy the environment names cannot be used */
  routeTo(url: URL): Route {
    const proxy = proxyFor(url, this.#env);
    const isSecure = url.protocol === 'https:';
    const target = targetOf(url);
    if (proxy === undefined) return { agent: this.#agent(isSecure), isSecure, target, headers: {} };
    if (isSecure) return { agent: this.#tunnel(proxy), isSecure, target, headers: {} };
    const isProxySecure = proxy.protocol === 'https:';
    return {
      agent: this.#agent(isProxySecure),
      isSecure: isProxySecure,
      target: { ...targetOf(proxy), path: url.href },
      headers: { host: url.host, ...proxyAuthorization(proxy) },
    };
  }

  destroy(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  #agent(isSecure: boolean): Agent {
    return this.#keep(isSecure ? 'https' : 'http', () =>
      isSecure ? new SecureAgent(AGENT_OPTIONS) : new Agent(AGENT_OPTIONS),
    );
  }

  #tunnel(proxy: URL): Agent {
    return this.#keep(`tunnel ${proxy.href}`, () => new TunnelAgent(proxy));
  }

  #keep(key: string, create: () => Agent): Agent {
    const agent = this.#agents.get(key) ?? create();
    this.#agents.set(key, agent);
    return agent;
  }
}

/** Reaches TLS servers through a proxy's CONNECT. */
class TunnelAgent extends SecureAgent {
  readonly #proxy: URL;

  constructor(proxy: URL) {
    super(AGENT_OPTIONS);
    this.#proxy = proxy;
  }

  override createConnection(
    options: RequestOptions,
    callback: (error: Error | null, socket: Duplex) => void = () => {},
  ): undefined {
    const proxy = this.#proxy;
    const host = String(options.host);
    const authority = `${host.includes(':') ? `[${host}]` : host}:${options.port}`;
    const fail = (error: Error) => callback(error, undefined as unknown as Duplex);
    const connect = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
      ...targetOf(proxy),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyAuthorization(proxy) },
      agent: false,
    });
    connect.once('connect', (response, socket) => {
      if (response.statusCode === 200) {
        callback(null, connectTls({ ...(options as ConnectionOptions), socket }));
        return;
      }
      socket.destroy();
      fail(new Error(`the proxy ${proxy.host} answered CONNECT with HTTP ${response.statusCode}`));
    });
    connect.once('error', (cause) => {
      fail(new Error(`the proxy ${proxy.host} could not be reached: ${cause.message}`, { cause }));
    });
    connect.end();
  }
}

function targetOf(url: URL): Record<string, unknown> {
  const { hostname, port, path } = urlToHttpOptions(url);
  return { hostname, port, path };
}

function proxyAuthorization(proxy: URL): Record<string, string> {
  const credentials = basicCredentials(proxy);
  return credentials === undefined ? {} : { 'proxy-authorization': credentials };
}

import { isDeepStrictEqual } from 'node:util';
import type { Config, ServeSettings } from '../config/config.ts';
import type { Environment } from '../config/entry/expand-variables.ts';
import { HttpFront } from '../downstream/http/front.ts';
import { HostRules } from '../downstream/http/host-rules.ts';
import { Metrics } from '../downstream/http/metrics.ts';
import type { ServedLink } from '../downstream/http/served-link.ts';
import { HttpSessions } from '../downstream/http/sessions.ts';
import { errorText, ToolsiftError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Caller } from '../policy/access.ts';
import type { ToolProxy } from '../proxy/proxy.ts';
import { type Door, openDoor } from './door.ts';

export interface ServingOptions {
  readonly proxy: ToolProxy;
  readonly config: Config;
  readonly settings: ServeSettings;
  /** Where the variables of tokens are. */
  readonly env: Environment;
  readonly log: Logger;
}

/** A proxy that is served over HTTP: its front, its sessions, and who may come in. */
export class Serving {
  readonly #options: ServingOptions;
  readonly #sessions: HttpSessions;
  readonly #front: HttpFront;
  #config: Config;
  #door: Door;

  /** Listens and says where. */
  static async open(options: ServingOptions): Promise<Serving> {
    const { config, settings, env, log } = options;
    const { host, port, path } = settings;
    const serving = new Serving(options, await openDoor({ auth: config.auth, settings, env }));
    try {
      const address = await serving.#front.listen(port, host);
      const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      log.info(`serves MCP at http://${name}:${address.port}${path}`);
    } catch (error) {
      throw new ToolsiftError('usage', `cannot listen on ${host}:${port}: ${errorText(error)}`, {
        cause: error,
      });
    }
    return serving;
  }

  private constructor(options: ServingOptions, door: Door) {
    const { proxy, config, settings, log } = options;
    this.#options = options;
    this.#config = config;
    this.#door = door;
    this.#sessions = new HttpSessions({
      ...settings,
      maxSessionsOfCaller: door.tellsCallersApart ? settings.maxSessionsPerCaller : settings.maxSessions,
      idleMs: settings.idleSessionMs,
      open: (link, caller) => this.#openSession(link, caller),
    });
    this.#front = new HttpFront({
      ...settings,
      hosts: new HostRules(settings),
      authenticator: {
        authenticate: (authorization) => this.#door.authenticator.authenticate(authorization),
      },
      resource: () => this.#door.resource,
      sessions: this.#sessions,
      observer: new Metrics({
        sessions: () => this.#sessions.size,
        openCalls: () => this.#sessions.openCalls,
        upstreams: () => proxy.states(),
      }),
      log,
    });
  }

  /** Takes over who may come in and what they may use. Sessions begin anew where that has changed. */
  async applyConfig(config: Config): Promise<void> {
    const { settings, env, log } = this.#options;
    const before = this.#config;
    if (isDeepStrictEqual([config.auth, config.access], [before.auth, before.access])) return;
    try {
      this.#door = await openDoor({ auth: config.auth, settings, env });
    } catch (error) {
      log.error(`nobody new may come in, as what "auth" says now cannot be used: ${errorText(error)}`);
      this.#door = { ...this.#door, authenticator: NOBODY };
    }
    this.#config = config;
    this.#sessions.endAll(new Error('who may come in, or what they may use, has changed'));
    log.info('sessions begin anew, as "auth" or "access" has changed');
  }

  /** Lets what was begun be answered, then ends every session. */
  async close(): Promise<void> {
    await this.#front.drain(this.#options.settings.drainMs);
    await this.#front.close();
  }

  #openSession(link: ServedLink, caller: Caller): void {
    const { proxy, log } = this.#options;
    const session = proxy.openSession({ link, caller, onclose: () => {} });
    session.start().catch((error) => log.error(`a session could not be opened: ${errorText(error)}`));
  }
}

const NOBODY = {
  authenticate: () =>
    ({ refusal: { status: 503, description: 'who may come in is not known now' } }) as const,
};

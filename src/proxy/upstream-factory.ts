import type { Config, RunnableConfig, ServerConfig } from '../config/config.ts';
import type { Logger } from '../log.ts';
import { systemClock } from '../upstream/clock.ts';
import type { LinkOptions } from '../upstream/link-options.ts';
import { openLink } from '../upstream/open-link.ts';
import { DescriptorGate } from '../upstream/stdio/descriptor-gate.ts';
import { LiveGroups } from '../upstream/stdio/live-groups.ts';
import { Upstream } from '../upstream/upstream.ts';
import type { UpstreamStatus } from '../upstream/upstream-status.ts';
import type { ClientKind, UpstreamEvents } from './client-kind.ts';
import type { UserFolders } from './user-folders.ts';
import type { WarmStart } from './warm-start.ts';

export interface UpstreamFactoryOptions {
  /** What is configured now. */
  readonly config: () => Config;
  readonly log: Logger;
  readonly folders: UserFolders | undefined;
  readonly warmStart: WarmStart | undefined;
}

/** Makes the upstreams of all kinds of clients. What their processes have in common is here. */
export class UpstreamFactory {
  readonly #options: UpstreamFactoryOptions;
  readonly #groups = new LiveGroups();
  readonly #descriptors = new DescriptorGate();

  constructor(options: UpstreamFactoryOptions) {
    this.#options = options;
  }

  create(server: ServerConfig, kind: ClientKind, events: UpstreamEvents): Upstream {
    const { name } = server;
    return new Upstream({
      config: server,
      clock: systemClock,
      log: this.#options.log,
      openLink: (config, initializeParams) => openLink(config, this.#linkOptions(config, initializeParams)),
      onlists: (lists, isFinal) => kind.tools.listed(server, lists, isFinal),
      onready: () => events.onready(name),
      onstatus: (status) => {
        this.#logStatus(name, status);
        events.onstatus();
      },
      isWantedUnasked: () =>
        kind.config.servers.get(name)?.start === 'eager' || kind.tools.catalog.upstream(name) === undefined,
    });
  }

  #linkOptions(config: RunnableConfig, initializeParams: string): LinkOptions {
    const { config: configured, folders, warmStart } = this.#options;
    const key = warmStart?.shareKey(config, initializeParams);
    return {
      // As it is configured when a message comes.
      get maxMessageBytes() {
        return configured().maxMessageBytes;
      },
      groups: this.#groups,
      descriptors: this.#descriptors,
      logFolder: folders?.log,
      loginFolder: folders?.logins,
      share: folders === undefined || key === undefined ? undefined : { key, folder: folders.runtime },
    };
  }

  #logStatus(name: string, { state, reason }: UpstreamStatus): void {
    const { log } = this.#options;
    const line = `server "${name}" is ${state}${reason === undefined ? '' : `: ${reason}`}`;
    if (state === 'failed' || state === 'backoff' || state === 'needs_login') log.warn(line);
    else log.debug(line);
  }
}

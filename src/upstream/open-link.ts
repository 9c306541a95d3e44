import type { RunnableConfig } from '../config/config.ts';
import type { LinkOptions, ServerLink } from './link-options.ts';

/** A link of the kind the entry asks for; its code is loaded when the first server needs it. */
export async function openLink(config: RunnableConfig, options: LinkOptions): Promise<ServerLink> {
  const { share } = options;
  if (!config.isShared || config.isPerSession || share === undefined) return openOwnLink(config, options);
  const { SharedLink } = await import('./share/shared-link.ts');
  return new SharedLink({ ...share, openServer: () => openOwnLink(config, options) });
}

async function openOwnLink(config: RunnableConfig, options: LinkOptions): Promise<ServerLink> {
  if (config.kind === 'stdio') {
    const { StdioLink } = await import('./stdio/stdio-link.ts');
    return new StdioLink(config, options);
  }
  const { HttpLink } = await import('./http/http-link.ts');
  const { LoginStore } = await import('./http/login/login-store.ts');
  const logins = options.loginFolder === undefined ? undefined : new LoginStore(options.loginFolder);
  return new HttpLink(config, { ...options, logins });
}

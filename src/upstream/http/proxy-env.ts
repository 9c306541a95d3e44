import { ToolsiftError } from '../../errors.ts';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$|\.localhost$/;

/**
 * The proxy to reach `url` through, by the variables other programs go by: `HTTPS_PROXY`, `HTTP_PROXY`,
 * `ALL_PROXY`, `NO_PROXY`, small letters first. Never for this machine itself, which no proxy can reach.
 *
 * @throws ToolsiftError when the variable holds no address of an HTTP proxy
 */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv): URL | undefined {
  if (LOOPBACK.test(url.hostname) || isExempt(url, readVariable(env, 'NO_PROXY') ?? '')) return undefined;
  const variable = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = readVariable(env, variable) ?? readVariable(env, 'ALL_PROXY');
  if (value === undefined) return undefined;
  const address = value.includes('://') ? value : `http://${value}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol)) return proxy;
  throw new ToolsiftError(
    'server_config_invalid',
    `cannot be reached through the proxy that ${variable} or ALL_PROXY names: only http:// and https:// proxies are supported`,
  );
}

function readVariable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name.toLowerCase()] || env[name] || undefined;
}

function isExempt(url: URL, list: string): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, host, onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry) as unknown as [string, string, string?];
      const suffix = host.replace(/^\*?\./, '');
      const isInside = url.hostname === suffix || url.hostname.endsWith(`.${suffix}`);
      return isInside && (onlyPort === undefined || onlyPort === port);
    });
}

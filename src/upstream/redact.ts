import type { HttpServerConfig, StdioServerConfig } from '../config/config.ts';

const SECRET_NAME = /token|key|secret|passw|auth|credential|bearer|cookie|session/i;
/** Shorter values are words like `debug` or `1`; hiding those would garble messages and protect nothing. */
const MIN_PLAIN_LENGTH = 8;
const MIN_SECRET_LENGTH = 3;

/**
 * What in a server's entry may be a credential: values of `env` and `headers`, arguments that follow or carry a
 * telling flag, user info and query of the URL.
 */
export function secretsOf(config: StdioServerConfig | HttpServerConfig): string[] {
  const found = config.kind === 'stdio' ? secretsOfCommand(config) : secretsOfUrl(config);
  return [...new Set(found)].toSorted((a, b) => b.length - a.length);
}

/** The text with every secret in it replaced; what upstreams say of themselves may quote what they were given. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((kept, secret) => kept.replaceAll(secret, '***'), text);
}

function secretsOfCommand({ env, args }: StdioServerConfig): string[] {
  const fromArgs = args.flatMap((arg, index) => {
    const [flag, value] = splitFlag(arg);
    if (value !== undefined) return SECRET_NAME.test(flag) ? [value] : [];
    const previous = args[index - 1];
    return previous?.startsWith('-') && SECRET_NAME.test(previous) && !arg.startsWith('-') ? [arg] : [];
  });
  return [
    ...secretValues(Object.entries(env)),
    ...fromArgs.filter((value) => value.length >= MIN_SECRET_LENGTH),
  ];
}

function secretsOfUrl({ url, headers }: HttpServerConfig): string[] {
  const values = secretValues(Object.entries(headers));
  // A scheme before the credential, as in `Bearer TOKEN`, is not part of what may be quoted.
  const credentials = values.flatMap((value) =>
    value.split(' ').filter((word) => word.length >= MIN_PLAIN_LENGTH),
  );
  if (!URL.canParse(url)) return [...values, ...credentials];
  const { username, password, search, searchParams } = new URL(url);
  const fromQuery = search
    .slice(1)
    .split('&')
    .map((pair) => splitFlag(pair)[1] ?? '')
    .concat([...searchParams.values()]);
  const fromUrl = [username, password, decoded(username), decoded(password), ...fromQuery];
  return [...values, ...credentials, ...fromUrl.filter((value) => value.length >= MIN_SECRET_LENGTH)];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not percent-encoded after all.
    return part;
  }
}

function secretValues(entries: readonly (readonly [string, string])[]): string[] {
  return entries
    .filter(
      ([name, value]) => value.length >= (SECRET_NAME.test(name) ? MIN_SECRET_LENGTH : MIN_PLAIN_LENGTH),
    )
    .map(([, value]) => value);
}

function splitFlag(arg: string): [string, string | undefined] {
  const at = arg.indexOf('=');
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
}

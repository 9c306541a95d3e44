import type { HttpServerConfig, RunnableConfig, StdioServerConfig } from '../config/config.ts';

const HEADER_FLAG = /^-+(H|header|headers)$/;
const SECRET_NAME = /token|key|secret|passw|auth|credential|bearer|cookie|session/i;
/** Shorter values are words like `debug` or `1`; hiding those would garble messages and protect nothing. */
const MIN_PLAIN_LENGTH = 8;
const MIN_SECRET_LENGTH = 3;

/**
 * What in a server's entry may be a credential: values of `env` and `headers`, arguments that follow or carry a
 * telling flag, user info and query of the URL.
 */
export function secretsOf(config: RunnableConfig): string[] {
  const found = config.kind === 'stdio' ? secretsOfCommand(config) : secretsOfUrl(config);
  return [...new Set(found)].toSorted((a, b) => b.length - a.length);
}

/** The text with every secret in it replaced; what upstreams say of themselves may quote what they were given. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((kept, secret) => kept.replaceAll(secret, '***'), text);
}

/** Longest piece of what a server wrote that a message quotes. */
const QUOTED_LENGTH = 200;

/** For quoting what a server says: on one line, cut short, without what its entry holds in confidence. */
export function quoteOf(config: RunnableConfig): (text: string) => string {
  const secrets = secretsOf(config);
  return (text) => {
    const line = redact(text.replace(/\s+/g, ' ').trim(), secrets);
    return line.length > QUOTED_LENGTH ? `${line.slice(0, QUOTED_LENGTH)}…` : line;
  };
}

function secretsOfCommand({ env, args }: StdioServerConfig): string[] {
  const fromArgs = args.flatMap((arg, index) => [
    ...secretsOfArgument(arg, args[index - 1] ?? ''),
    ...credentialsOfUrl(arg),
  ]);
  return [
    ...secretValues(Object.entries(env)),
    ...fromArgs.filter((value) => value.length >= MIN_SECRET_LENGTH),
  ];
}

/** What an argument carries, by its own flag, by the flag before it, or as a header. */
function secretsOfArgument(arg: string, previous: string): string[] {
  const [, headerValue] = /^[\w-]+: *(.+)$/s.exec(arg) ?? [];
  if (headerValue !== undefined && (SECRET_NAME.test(arg) || HEADER_FLAG.test(previous))) {
    return [headerValue, ...credentialWords(headerValue)];
  }
  const [flag, value] = splitFlag(arg);
  if (value !== undefined && SECRET_NAME.test(flag)) return [value];
  return previous.startsWith('-') && SECRET_NAME.test(previous) && !arg.startsWith('-') ? [arg] : [];
}

function secretsOfUrl({ url, headers }: HttpServerConfig): string[] {
  const values = secretValues(Object.entries(headers));
  return [
    ...values,
    ...values.flatMap(credentialWords),
    ...credentialsOfUrl(url).filter((value) => value.length >= MIN_SECRET_LENGTH),
  ];
}

/** A scheme before the credential, as in `Bearer TOKEN`, is not part of what may be quoted. */
function credentialWords(value: string): string[] {
  return value.split(' ').filter((word) => word.length >= MIN_PLAIN_LENGTH);
}

/** User info and the values of the query. */
function credentialsOfUrl(url: string): string[] {
  if (!url.includes('://') || !URL.canParse(url)) return [];
  const { username, password, search, searchParams } = new URL(url);
  const inQuery = search
    .slice(1)
    .split('&')
    .map((pair) => splitFlag(pair)[1] ?? '');
  const user = password === '' ? [] : [username, decoded(username)];
  return [...user, password, decoded(password), ...inQuery, ...searchParams.values()];
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

import {
  canBeSecret,
  isSecretName,
  looksSecret,
  MIN_PLAIN_LENGTH,
  MIN_SECRET_LENGTH,
} from './looks-secret.ts';
import type { Secret } from './needles.ts';

const MOST_MEMBERS = 1000;
/** What user names are called everywhere; hiding these would garble messages. */
const PLAIN_USER = /^[a-z]{1,8}$/;

export function strong(value: string): Secret {
  return { value, isStrong: true };
}

/** A configured value with a name: of a variable, a header, a parameter. */
export function namedValue(name: string, value: string): Secret[] {
  const inside = credentialsIn(value);
  if (isSecretName(name)) return canBeSecret(value) ? [strong(value), ...inside] : inside;
  if (value.length < MIN_PLAIN_LENGTH) return inside;
  return [{ value, isStrong: looksSecret(value) && !isPath(value) }, ...inside];
}

/** Credentials within a longer text: of URLs, connection strings, JSON. */
export function credentialsIn(text: string): Secret[] {
  return [
    ...[...text.matchAll(/\w[\w+.-]*:\/\/[^\s'"<>]+/g)].flatMap(([url]) => credentialsOfUrl(url)),
    ...[...text.matchAll(/([\w.-]+)=("[^"]*"|'[^']*'|[^\s;&,]+)/g)].flatMap(([, name = '', value = '']) =>
      isSecretName(name) ? secretPart(value.replace(/^(["'])(.*)\1$/, '$2')) : [],
    ),
    ...credentialsOfJson(text),
  ];
}

/** User info, the values of the query, and what in the path reads like a credential. */
export function credentialsOfUrl(url: string): Secret[] {
  if (!url.includes('://') || !URL.canParse(url)) return [];
  const { username, password, pathname, search, searchParams } = new URL(url);
  const inQuery = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  const inPath = pathname.split('/').filter((segment) => looksSecret(decoded(segment)));
  return [
    ...userInfo(decoded(username), decoded(password)),
    ...userInfo(username, password),
    ...[...inQuery, ...searchParams.values()].flatMap(secretPart),
    ...inPath.flatMap((segment) => [strong(segment), strong(decoded(segment))]),
  ];
}

/** A scheme before the credential, as in `Bearer TOKEN`, is not part of what may be quoted. */
export function credentialWords(value: string): Secret[] {
  return value
    .split(/\s+/)
    .filter((word) => word.length >= MIN_PLAIN_LENGTH)
    .map(strong);
}

export function isPath(text: string): boolean {
  return /^(~?[/\\]|\.{1,2}[/\\]|[A-Za-z]:[/\\])/.test(text);
}

/** With nothing but a user name, that is the credential. */
function userInfo(user: string, password: string): Secret[] {
  if (password === '') return secretPart(user);
  const name = PLAIN_USER.test(user) ? [] : secretPart(user);
  return [strong(`${user}:${password}`), ...name, ...secretPart(password)];
}

function secretPart(value: string): Secret[] {
  return value.length >= MIN_SECRET_LENGTH && canBeSecret(value) ? [strong(value)] : [];
}

/** Some servers take their headers or their whole settings as JSON in one variable. */
function credentialsOfJson(text: string): Secret[] {
  if (!/^\s*[{[]/.test(text)) return [];
  const found: Secret[] = [];
  let left = MOST_MEMBERS;
  try {
    JSON.parse(text, (name, value: unknown) => {
      if (typeof value !== 'string' || left-- <= 0) return value;
      if (isSecretName(name)) found.push(...secretPart(value), ...credentialWords(value));
      else if (looksSecret(value)) found.push(strong(value));
      return value;
    });
  } catch {
    // Not JSON after all.
  }
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not percent-encoded after all.
    return part;
  }
}

import { credentialsIn, credentialWords, isPath, namedValue, strong } from './credentials-in.ts';
import { canBeSecret, isSecretName, looksLikePassword, looksSecret } from './looks-secret.ts';
import type { Secret } from './needles.ts';

const HEADER_FLAG = /^-+(H|header|headers)$/;
const ENV_FLAG = /^(-e|--env)$/;
const USER_FLAG = /^(-u|--user)$/;
/** With most programs a password, a key or a pass phrase. */
const SECRET_LETTER = /^-[pPkw]$/;
/** Programs that fetch what they run: what they are told to run is a name to be shown, and their flags are known. */
const RUNNER = /(^|[\\/])(npx|npm|bunx|bun|pnpm|pnpx|yarn|uvx|uv|pipx|docker|podman|deno)(\.(cmd|exe))?$/i;
const PACKAGE = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][a-z0-9._/:[\],-]*([@=<>~!]=?[\w.^~*-]+)?$/;
const PORT_OR_VERSION = /^[\d.:]{1,5}$/;

/** What among the arguments of a program may be a credential. */
export function secretsOfArguments(
  command: string,
  args: readonly string[],
  inherited: Readonly<Record<string, string | undefined>>,
): Secret[] {
  const isRunner = RUNNER.test(command);
  const programAt = isRunner ? args.findIndex((arg) => !arg.startsWith('-') && PACKAGE.test(arg)) : -1;
  return args.flatMap((arg, index) => {
    const before = args[index - 1] ?? '';
    if (ENV_FLAG.test(before)) return secretsOfVariable(arg, inherited);
    const inside = credentialsIn(arg);
    if (index === programAt) return inside;
    return [...inside, ...secretsOfArgument(arg, before, isRunner)];
  });
}

/** `NAME=value`, or `NAME` alone for a variable that is handed on. */
function secretsOfVariable(arg: string, inherited: Readonly<Record<string, string | undefined>>): Secret[] {
  const [name, value = inherited[name]] = splitFlag(arg);
  return value === undefined ? [] : namedValue(name, value);
}

/** What an argument carries, by its own flag, by the flag before it, as a header, or by its looks. */
function secretsOfArgument(arg: string, before: string, isRunner: boolean): Secret[] {
  const [, headerName = '', headerValue] = /^([\w-]+): *(.+)$/s.exec(arg) ?? [];
  if (headerValue !== undefined && (isSecretName(headerName) || HEADER_FLAG.test(before))) {
    return [strong(headerValue), ...credentialWords(headerValue)];
  }
  const [flag, value] = splitFlag(arg);
  if (value !== undefined && isSecretName(flag)) return canBeSecret(value) ? [strong(value)] : [];
  if (arg.startsWith('-')) return glued(arg, isRunner);
  if (USER_FLAG.test(before) && arg.includes(':')) {
    return [strong(arg), strong(arg.slice(arg.indexOf(':') + 1))];
  }
  const isNamed = before.startsWith('-') && !before.includes('=') && isSecretName(before);
  if (isNamed) return canBeSecret(arg) ? [strong(arg)] : [];
  if (!isRunner && SECRET_LETTER.test(before) && !PORT_OR_VERSION.test(arg) && !isPath(arg)) {
    return canBeSecret(arg) ? [strong(arg)] : [];
  }
  return isPath(arg) ? [] : arg.split(/\s+/).flatMap(secretsOfWord);
}

/** `-pPASSWORD`, as database clients take it. */
function glued(arg: string, isRunner: boolean): Secret[] {
  const [, value] = /^-p(.{4,})$/.exec(arg) ?? [];
  return value === undefined || isRunner || /^[a-z-]+(=|$)/.test(value) ? [] : [strong(value)];
}

function secretsOfWord(word: string): Secret[] {
  if (word.includes('://') || isPath(word)) return [];
  return looksSecret(word) || looksLikePassword(word) ? [strong(word)] : [];
}

function splitFlag(arg: string): [string, string | undefined] {
  const at = arg.indexOf('=');
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
}

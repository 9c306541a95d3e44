import type { HttpServerConfig, ServerConfig, StdioServerConfig } from '../../config/config.ts';
import { secretsOfArguments } from './argument-secrets.ts';
import { credentialsIn, credentialsOfUrl, credentialWords, isPath, namedValue } from './credentials-in.ts';
import { isSecretName, looksSecret, MIN_PLAIN_LENGTH } from './looks-secret.ts';
import type { Secret } from './needles.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What in a server's entry may be a credential: values of `env` and `headers`; arguments that follow or carry a
 * telling flag, or read like a password; user info, query and tokens in the path of URLs; what variables gave.
 *
 * @param inherited the environment the server gets besides: what is named like a credential there is one
 */
export function secretsOf(config: ServerConfig, inherited: Environment = process.env): Secret[] {
  if (config.kind === 'stdio') return distinct([...secretsOfCommand(config, inherited), ...given(config)]);
  if (config.kind === 'http') return distinct([...secretsOfUrl(config), ...given(config)]);
  return [];
}

function secretsOfCommand({ command, args, env }: StdioServerConfig, inherited: Environment): Secret[] {
  return [
    ...Object.entries(env).flatMap(([name, value]) => namedValue(name, value)),
    ...secretsOfArguments(command, args, inherited),
    ...inheritedSecrets(inherited),
  ];
}

function secretsOfUrl({ url, headers, login }: HttpServerConfig): Secret[] {
  const values = Object.entries(headers);
  return [
    ...values.flatMap(([name, value]) => namedValue(name, value)),
    ...values.flatMap(([name, value]) =>
      value.length >= MIN_PLAIN_LENGTH || isSecretName(name) ? credentialWords(value) : [],
    ),
    ...credentialsOfUrl(url),
    ...(login?.clientSecret === undefined ? [] : [{ value: login.clientSecret, isStrong: true }]),
  ];
}

/** Whatever the user keeps in variables rather than in the file is likely to be kept there for a reason. */
function given({ fromVariables = [], ...config }: StdioServerConfig | HttpServerConfig): Secret[] {
  const host = config.kind === 'http' && URL.canParse(config.url) ? new URL(config.url).host : '';
  return fromVariables
    .filter(({ value }) => !isPath(value) && !host.includes(value))
    .flatMap(({ name, value }) => [...namedValue(name, value), ...credentialsIn(value)])
    .map(({ value }) => ({ value, isStrong: true }));
}

/** Only what is beyond doubt: names like SSH_AUTH_SOCK and XDG_SESSION_ID are no secrets. */
function inheritedSecrets(inherited: Environment): Secret[] {
  return Object.entries(inherited).flatMap(([name, value = '']) =>
    /token|secret|passw|api_?key|access_?key|private_?key|credential|_pat$/i.test(name) &&
    isSecretName(name) &&
    value.length >= MIN_PLAIN_LENGTH &&
    !isPath(value)
      ? [{ value, isStrong: looksSecret(value) }]
      : [],
  );
}

function distinct(secrets: readonly Secret[]): Secret[] {
  const byValue = new Map<string, Secret>();
  for (const secret of secrets) {
    if (secret.value !== '' && !byValue.get(secret.value)?.isStrong) byValue.set(secret.value, secret);
  }
  return [...byValue.values()];
}

import { isObject, type JsonObject } from '../config/text/json-value.ts';

const SECRET_NAME = /token|secret|passw|credential|api[-_]?key|[-_]key$|^key$|auth|cookie/i;

/** Where an entry holds what looks like a secret and is no reference to a variable: key paths, never values. */
export function literalSecrets(entry: JsonObject): string[] {
  const named = ['env', 'headers'].flatMap((key) => {
    const values = entry[key];
    if (!isObject(values)) return [];
    return Object.entries(values)
      .filter(([name, value]) => SECRET_NAME.test(name) && isLiteral(value))
      .map(([name]) => `${key}.${name}`);
  });
  const hasCredentials = typeof entry.url === 'string' && /^\w+:\/\/[^/@]*:[^/@$]+@/.test(entry.url);
  return hasCredentials ? [...named, 'url'] : named;
}

/** `Bearer ${TOKEN}` names a variable; an empty text, or a placeholder nobody has filled in, hides nothing. */
function isLiteral(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    !/\$\{(?!LITERAL:)/.test(value) &&
    !/<[^>]+>/.test(value)
  );
}

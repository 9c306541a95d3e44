import type { ServerConfig } from '../config/config.ts';
import { excerpt, oneLine } from '../foreign-text.ts';
import { type Cut, Redactor } from './secrets/redactor.ts';
import { secretsOf } from './secrets/secrets-of.ts';

export { type Cut, Redactor };

/** More of a text than any message quotes; what lies behind is not looked at. */
const LOOKED_AT_LENGTH = 16 * 1024;

/** Makes a quote of what a server, or the way to it, said. */
export type Quote = (text: string, cut?: Cut) => string;

/**
 * The one way from what a server says to what we say of it: without what its entry holds in confidence, in whatever
 * spelling; then on one line, harmless to terminals, cut short. The text must come as it was received.
 */
export function quoteOf(config: ServerConfig): Quote {
  const redactor = redactorOf(config);
  return (text, cut = {}) => {
    const isLong = text.length > LOOKED_AT_LENGTH;
    const looked = isLong ? text.slice(0, LOOKED_AT_LENGTH) : text;
    const line = oneLine(redactor.hide(looked, isLong ? { ...cut, isCutAfter: true } : cut));
    // What was taken out of the line may have stood within a secret.
    return excerpt(redactor.hide(line));
  };
}

/** Hides what a server's entry holds in confidence. */
export function redactorOf(config: ServerConfig): Redactor {
  return new Redactor(secretsOf(config));
}

/** Hides what is a credential beyond doubt of any of these servers: for texts that are not about one of them. */
export function credentialsRedactor(configs: Iterable<ServerConfig>): Redactor {
  return new Redactor([...configs].flatMap((config) => secretsOf(config)).filter(({ isStrong }) => isStrong));
}

import { ToolsiftError } from '../../errors.ts';
import { type Environment, expandVariables, missingVariable } from './expand-variables.ts';

/**
 * The tokens of `auth.tokens`, every variable filled in, by the name of their holder.
 *
 * @throws ToolsiftError `config_invalid` for a variable that is not set, an empty token, and one that two have
 */
export function expandTokens(
  tokens: Readonly<Record<string, string>>,
  env: Environment,
): ReadonlyMap<string, string> {
  const expanded = new Map<string, string>();
  for (const [name, written] of Object.entries(tokens)) {
    const keyPath = `auth.tokens.${name}`;
    const { text, missing } = expandVariables(written, env);
    const [first] = missing;
    if (first !== undefined) throw invalid(missingVariable(first, keyPath));
    if (!/^[\x21-\x7e]+$/.test(text)) {
      throw invalid(`"${keyPath}" must be a token of visible ASCII characters, without spaces`);
    }
    const holder = [...expanded].find(([, token]) => token === text)?.[0];
    if (holder !== undefined)
      throw invalid(`"${keyPath}" is the token of "${holder}" too; each needs its own`);
    expanded.set(name, text);
  }
  return expanded;
}

function invalid(message: string): ToolsiftError {
  return new ToolsiftError('config_invalid', message);
}

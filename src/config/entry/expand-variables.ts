import { homedir } from 'node:os';
import type { VariableValue } from './server-config.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Expansion {
  readonly text: string;
  /** References that nothing answers, as named in the text: `TOKEN`, `input:token`. */
  readonly missing: readonly string[];
}

// Only what names a variable is a reference. `$VAR`, `$5`, `${VAR:+x}` and `${}` are ordinary text, since
// shells and password generators write them. ProgramFiles(x86) is the one common name with parentheses.
const REFERENCE =
  /\$\{(?:(?:env:)?([A-Za-z_]\w*(?:\(x86\))?)(?::-([^}]*))?|((?:input|config|command|cmd|file):[^}]+))\}|\{env:([A-Za-z_]\w*)\}/g;

/**
 * Fills in `${VAR}`, `${VAR:-default}`, `${env:VAR}` and `{env:VAR}` in one pass: values are not expanded again.
 * The default counts only when the variable is not set; a variable set to nothing gives nothing.
 *
 * @param onuse told of every variable that was filled in
 */
export function expandVariables(
  text: string,
  env: Environment,
  onuse: (variable: VariableValue) => void = () => {},
): Expansion {
  const missing: string[] = [];
  const expanded = text.replace(
    REFERENCE,
    (whole, braced?: string, fallback?: string, input?: string, bare?: string) => {
      const name = braced ?? bare;
      const found = name === undefined ? undefined : lookUp(name, env);
      if (name !== undefined && found !== undefined) onuse({ name, value: found });
      const value = found ?? fallback;
      if (value !== undefined) return value;
      missing.push(name ?? input ?? whole);
      return whole;
    },
  );
  return { text: expanded, missing };
}

function lookUp(name: string, env: Environment): string | undefined {
  const value: unknown = env[name];
  // Names such as `constructor` reach the prototype of process.env.
  if (typeof value === 'string') return value;
  return name === 'userHome' ? homedir() : undefined;
}

/** What to do about a reference nothing answers. */
export function missingVariable(name: string, keyPath: string): string {
  if (name.startsWith('input:')) {
    return `\${${name}} in "${keyPath}" asks VS Code for a value, which toolsift cannot; use an environment variable, \${NAME}`;
  }
  const [kind] = name.split(':', 1);
  if (kind !== undefined && kind !== name) {
    return `\${${kind}:…} in "${keyPath}" is for another client; use an environment variable, \${NAME}`;
  }
  if (name.startsWith('workspaceFolder')) {
    return `\${${name}} in "${keyPath}" is not set, since toolsift knows no workspace; write the path`;
  }
  return `variable ${name} in "${keyPath}" is not set where toolsift runs; agents hand on few variables: name it in the agent's entry for toolsift ("env"; in Codex "env_vars"), or give a default: \${${name}:-default}`;
}

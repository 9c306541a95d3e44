/**
 * References to variables, as agents write them: `braces` `${NAME}`, `defaults` `${NAME:-text}`, `env` `${env:NAME}`,
 * `bare-env` `{env:NAME}`, `dollar` `$NAME`, `secrets` `${{ secrets.NAME }}`, `places` `${userHome}` and the like.
 */
export type VariableForm = 'braces' | 'defaults' | 'env' | 'bare-env' | 'dollar' | 'secrets' | 'places';

const REFERENCE =
  /\$\{\{\s*secrets\.(\w+)\s*\}\}|\$?\{env:([A-Za-z_]\w*)\}|\$\{(\w+:)(?!-)[^}]*\}|\$\{([A-Za-z_]\w*)(:-[^}]*)?\}|\$([A-Za-z_]\w*)/g;

/** Variables that say where something is, which editors know. */
const PLACES = /^(?:userHome|workspaceFolder\w*|cwd|pathSeparator|extensionPath|file\w*)$/;

/** Nobody sets it: its default is what it stands for. */
const LITERAL = 'LITERAL';

/**
 * A text of an agent's file as toolsift has to write it to mean the same: what the agent fills in becomes a reference
 * of ours, what it leaves alone becomes text that we leave alone too.
 */
export function inOurForm(text: string, forms: readonly VariableForm[]): string {
  const has = (form: VariableForm) => forms.includes(form);
  // `{file:path}` stands for the content of a file, which we tell when it is run.
  const written = has('bare-env') ? text.replace(/(?<!\$)\{(?=file:[^}]*\})/g, '${') : text;
  return written.replace(
    REFERENCE,
    (
      whole,
      secret?: string,
      env?: string,
      kind?: string,
      name?: string,
      fallback?: string,
      bare?: string,
    ) => {
      if (secret !== undefined) return has('secrets') ? `\${${secret}}` : whole;
      if (env !== undefined) return envReference(whole, env, has);
      // `${input:id}`, `${config:key}`: for the agent that fills them in, which we tell when it is run.
      if (kind !== undefined) return has('places') || kind === 'file:' ? whole : literal(whole);
      if (name !== undefined && fallback !== undefined) return has('defaults') ? whole : literal(whole);
      if (name !== undefined)
        return has('braces') || (has('places') && PLACES.test(name)) ? whole : literal(whole);
      return bare !== undefined && has('dollar') ? `\${${bare}}` : whole;
    },
  );
}

function envReference(whole: string, name: string, has: (form: VariableForm) => boolean): string {
  const isDollar = whole.startsWith('$');
  if (isDollar && has('env')) return `\${${name}}`;
  // A variable that is not set is nothing there, and a dollar in front stays.
  if (has('bare-env')) return `${isDollar ? '$' : ''}\${${name}:-}`;
  return isDollar ? literal(whole) : `\${${LITERAL}:-{}${whole.slice(1)}`;
}

/** A text that looks like a reference of ours and is none. */
function literal(whole: string): string {
  return `\${${LITERAL}:-$}${whole.slice(1)}`;
}

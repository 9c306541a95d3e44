/** A server that is not well, or not yet. */
export interface Ailing {
  readonly name: string;
  readonly status: { readonly state: string; readonly reason?: string };
  /** Whether a tool of it is known, so that it can be started by a call. */
  readonly hasTools: boolean;
}

/** What to do about a server in a state, for models and people; nothing where all is well. */
export function fixFor({ name, status: { state, reason }, hasTools }: Ailing): string | undefined {
  const restart = `run: ${command('restart', name)}`;
  switch (state) {
    case 'starting':
      return 'try again in a few seconds';
    case 'backoff':
      return hasTools
        ? 'try again in a while; its next use starts it anew'
        : 'it is started again by itself; try again in a while';
    case 'failed':
      return hasTools
        ? `correct its entry in toolsift.json; to try again as it is, invoke one of its tools or ${restart}`
        : `correct its entry in toolsift.json; to try again as it is, ${restart}`;
    case 'needs_login':
      return `run: ${command('login', name)}, or put valid credentials into its entry in toolsift.json`;
    case 'disabled':
      return 'set "disabled" to false in its entry in toolsift.json';
    case 'ready':
      // A server that is up has a reason only when something of it could not be read.
      return reason === undefined ? undefined : `it is asked again by itself; or ${restart}`;
    default:
      return undefined;
  }
}

/** As a shell takes it. */
function command(verb: 'restart' | 'login', name: string): string {
  return `toolsift ${verb} ${/^[\w@%+=:,./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`}`;
}

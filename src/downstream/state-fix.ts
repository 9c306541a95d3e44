/** What to do about a server in a state, for models and people; nothing where all is well. */
const FIXES: ReadonlyMap<string, string> = new Map([
  ['starting', 'try again in a few seconds'],
  ['backoff', 'try again in a while; its next use starts it anew'],
  ['failed', 'correct its entry in toolsift.json, or invoke one of its tools to try again'],
  ['needs_login', 'put valid credentials into its entry in toolsift.json, or run: toolsift restart'],
  ['disabled', 'set "disabled" to false in its entry in toolsift.json'],
]);

export function fixFor({
  state,
  reason,
}: {
  readonly state: string;
  readonly reason?: string;
}): string | undefined {
  // A server that is up has a reason only when something of it could not be read.
  if (state === 'ready' && reason !== undefined)
    return 'it is asked again by itself; or run: toolsift restart';
  return FIXES.get(state);
}

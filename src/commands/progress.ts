import { showStatus } from '../terminal.ts';

/** One line on stderr that says what is being waited for; nothing where stderr is no terminal. */
export function showProgress(text: () => string): { update(): void; end(): void } {
  const update = () => showStatus(text());
  update();
  return { update, end: () => showStatus(undefined) };
}

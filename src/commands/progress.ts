const CLEAR_LINE = '\r\u001b[K';

/** One line on stderr that says what is being waited for; nothing where stderr is no terminal. */
export function showProgress(text: () => string): { update(): void; end(): void } {
  const { stderr } = process;
  if (!stderr.isTTY) return { update: () => {}, end: () => {} };
  const update = () => stderr.write(`${CLEAR_LINE}${text().slice(0, (stderr.columns ?? 80) - 1)}`);
  update();
  return { update, end: () => stderr.write(CLEAR_LINE) };
}

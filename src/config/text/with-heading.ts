/** Longest list that anybody reads. */
const MOST_LINES = 50;

/** What is wrong, one thing a line; a single thing stands on the line of the heading. */
export function withHeading(heading: string, lines: readonly string[]): string {
  if (lines.length === 1) return `${heading}: ${lines[0]}`;
  const rest = lines.length - MOST_LINES;
  const shown = rest > 0 ? [...lines.slice(0, MOST_LINES), `and ${rest} more`] : lines;
  return `${heading}:\n${shown.map((line) => `  ${line}`).join('\n')}`;
}

const CUT_MARK = '…';
const HIGH_SURROGATE = /[\ud800-\udbff]$/;

/** A text that is no longer than `limit` characters; a mark stands for what is missing. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Half a surrogate pair would not survive UTF-8.
  return text.slice(0, limit - 1).replace(HIGH_SURROGATE, '') + CUT_MARK;
}

/**
 * Whether a text fits a pattern in which `*` stands for any run of characters, none included. It takes at most the
 * product of their lengths.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let patternAt = 0;
  let starAt = -1;
  let resumeAt = 0;
  while (at < text.length) {
    if (pattern[patternAt] === '*') {
      starAt = patternAt++;
      resumeAt = at;
    } else if (pattern[patternAt] === text[at]) {
      patternAt += 1;
      at += 1;
    } else if (starAt >= 0) {
      patternAt = starAt + 1;
      at = ++resumeAt;
    } else return false;
  }
  while (pattern[patternAt] === '*') patternAt += 1;
  return patternAt === pattern.length;
}

const CHARACTERS_PER_WORD_TOKEN = 7;
const DIGITS_PER_TOKEN = 3;
const PUNCTUATION_TOKENS = 0.46;
const SPACES_PER_TOKEN = 4;
const UNSPACED_TOKENS = 1;
const FOREIGN_LETTER_TOKENS = 0.5;
/** Letters with as many spaces between them as cost nothing are the cheapest text. */
const LEAST_TOKENS_PER_CHARACTER = 0.1;

const UNSPACED = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\u0e00-\u0eff\ud800-\udfff]/;

/** Whether a text may cost no more than so many tokens; says so at once where it is far too long. */
export function mayFit(text: string, tokens: number): boolean {
  return text.length * LEAST_TOKENS_PER_CHARACTER <= tokens;
}

/** About how many o200k_base tokens a text costs, rather too many than too few, without a tokenizer. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let letters = 0;
  let digits = 0;
  let spaces = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
    if (isLetter) {
      letters++;
      continue;
    }
    if (letters > 0) tokens += Math.ceil(letters / CHARACTERS_PER_WORD_TOKEN);
    letters = 0;
    const isDigit = code >= 48 && code <= 57;
    if (!isDigit && digits > 0) tokens += Math.ceil(digits / DIGITS_PER_TOKEN);
    if (!isDigit) digits = 0;
    if (isDigit) digits++;
    else if (code === 32) spaces++;
    else if (code < 128) tokens += PUNCTUATION_TOKENS;
    else tokens += UNSPACED.test(text.charAt(i)) ? UNSPACED_TOKENS : FOREIGN_LETTER_TOKENS;
  }
  tokens += Math.ceil(letters / CHARACTERS_PER_WORD_TOKEN) + Math.ceil(digits / DIGITS_PER_TOKEN);
  // A single space belongs to the word after it; only long runs cost anything.
  return Math.ceil(tokens + (spaces > text.length / 4 ? spaces / SPACES_PER_TOKEN : 0));
}

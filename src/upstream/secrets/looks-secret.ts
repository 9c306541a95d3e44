const SECRET_NAME =
  /token|key|secret|pass|pwd|auth|cred|bearer|cookie|session|private|sign|salt|otp|jwt|license|login|webhook|(^|[^a-z])(pat|pin|dsn|sid|pw|api|cert)([^a-z]|$)/i;
/** What is named after a secret without being one. */
const ABOUT_A_SECRET = /(file|path|dir|folder|type|mode|scheme|method|enabled|required)$/i;
/** What a variable or a flag that is named like a secret may say without telling one. */
const PLAIN_WORDS = new Set(
  'true false yes no on off none null undefined auto default basic bearer digest oauth oauth2 token password required optional enabled disabled enable disable debug info'.split(
    ' ',
  ),
);
const KNOWN_BEGINNING =
  /(^|[^A-Za-z0-9])(sk|pk|rk|gh[a-z]|github_pat|glpat|xox[a-z]|AKIA|ASIA|eyJ|AIza|ntn|lin_api|hf|npm|pypi|dop_v1|shp[a-z]{2}|ya29|SG|key|token|secret)[-_.]?[A-Za-z0-9]{8}/;
const UUID = /[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}/i;
/** Shorter values are words like `debug` or `1`; hiding those would garble messages and protect nothing. */
export const MIN_PLAIN_LENGTH = 8;
export const MIN_SECRET_LENGTH = 3;
const MIN_RANDOM_LENGTH = 8;
const MIN_MIXED_LENGTH = 6;
const MIN_HEX_LENGTH = 16;

/** Whether a variable, a flag, a header or a parameter of this name is likely to carry a credential. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !ABOUT_A_SECRET.test(name);
}

/** Whether a value under a name that promises a credential can be one. */
export function canBeSecret(value: string): boolean {
  return value.trim().length >= MIN_SECRET_LENGTH && !PLAIN_WORDS.has(value.toLowerCase());
}

/** Whether a word reads like a credential, not like a name or a path: made by a machine, with letters and digits mixed. */
export function looksSecret(word: string): boolean {
  if (UUID.test(word)) return true;
  if (KNOWN_BEGINNING.test(word) && /\d/.test(word)) return true;
  return word.split(/[^A-Za-z0-9]+/).some(looksRandom);
}

/** The same, for what stands alone among the arguments of a program: passwords made by people count too. */
export function looksLikePassword(word: string): boolean {
  if (word.length < MIN_MIXED_LENGTH) return false;
  return /[!#$%^&*?~]/.test(word) || (/^\w+$/.test(word) && /\d[a-z]/i.test(word) && /[a-z]/i.test(word));
}

function looksRandom(part: string): boolean {
  if (part.length < MIN_RANDOM_LENGTH || !/\d/.test(part) || !/[A-Za-z]/.test(part)) return false;
  if (/[A-Z]/.test(part)) return true;
  return part.length >= MIN_HEX_LENGTH && (part.match(/\d/g)?.length ?? 0) >= 3;
}

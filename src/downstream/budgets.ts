/** What our own answers may cost, whatever servers and callers say; search answers have theirs in the settings. */

/** Characters of an error's text. */
export const MAX_ERROR_CHARACTERS = 2_000;
/** Characters of the reason why a server is not well. */
export const MAX_REASON_CHARACTERS = 400;
/** Characters of all servers' reasons in one answer; of each at least as many as say something are shown. */
export const MAX_REASONS_CHARACTERS = 24_000;
export const MIN_REASON_CHARACTERS = 100;

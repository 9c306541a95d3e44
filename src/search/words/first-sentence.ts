const MAX_CHARACTERS = 240;
const SENTENCE_END = /[.!?](?=\s|$)|\n|。|！|？/;

/** Where a text's first sentence ends; a text without one is cut. */
export function endOfFirstSentence(text: string): number {
  const end = SENTENCE_END.exec(text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS + 2) : text);
  return end === null || end.index > MAX_CHARACTERS ? Math.min(text.length, MAX_CHARACTERS) : end.index + 1;
}

/** An expression of RFC 6570, as far as matching a URI needs it. */
const EXPRESSION = /\{([+#/.;?&]?)[^{}]*?(\*?)\}/;
/** Expansions that may be empty. */
const OPTIONAL = new Set(['#', '/', '.', ';', '?', '&']);
/** Longer ones stand for themselves only; looking for long texts in long texts can take forever. */
const MAX_CHARACTERS = 8_192;
/** What a simple expression cannot expand to unencoded. */
const RESERVED = /[/?#]/;

/**
 * Whether a URI could have been made from a template. The texts between expressions are looked for from left to
 * right, which costs no more than reading the URI once and is exact but for contrived templates.
 */
export function matchesTemplate(template: string, uri: string): boolean {
  if (template.length > MAX_CHARACTERS || uri.length > MAX_CHARACTERS) return template === uri;
  // Literal texts stand at even places; behind each come an operator and an explode mark.
  const parts = template.split(EXPRESSION);
  const first = parts[0] ?? '';
  if (parts.length === 1) return uri === first;
  if (!uri.startsWith(first)) return false;
  let at = first.length;
  let isFree = false;
  let isOptional = true;
  for (let place = 1; place < parts.length; place += 3) {
    const operator = parts[place] ?? '';
    const literal = parts[place + 2] ?? '';
    const isLast = place + 3 >= parts.length;
    isFree ||= operator !== '' || parts[place + 1] === '*';
    isOptional &&= OPTIONAL.has(operator);
    // Expressions side by side are looked at as one.
    if (literal === '' && !isLast) continue;
    const from = isOptional ? at : at + 1;
    const end = isLast ? uri.length - literal.length : uri.indexOf(literal, from);
    if (end < from || !uri.startsWith(literal, end)) return false;
    if (!isFree && RESERVED.test(uri.slice(at, end))) return false;
    at = end + literal.length;
    isFree = false;
    isOptional = true;
  }
  return true;
}

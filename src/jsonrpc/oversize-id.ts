const ID = String.raw`("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?)`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const AT_HEAD = new RegExp(String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?"id"\s*:\s*${ID}\s*,`);
const AT_TAIL = new RegExp(String.raw`,\s*"id"\s*:\s*${ID}\s*(?:,\s*${VERSION}\s*)?\}\s*$`);

/**
 * The id of a message too long to keep, from its first and last bytes: writers put it before or after the
 * result. Undefined where it stands elsewhere.
 */
export function oversizeId(head: Buffer, tail: Buffer): string | undefined {
  return AT_HEAD.exec(head.toString('latin1'))?.[1] ?? AT_TAIL.exec(tail.toString('latin1'))?.[1];
}

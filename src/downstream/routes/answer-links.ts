import { type ResponseFrame, valueAt } from '../../jsonrpc/frame.ts';

/** Larger results are not searched for links: they are data, and parsing them would slow the call. */
const MAX_SEARCHED_BYTES = 1024 * 1024;

/** URIs of the resources a tool result links to or embeds; the client may read them from us next. */
export function linkedUris(answer: ResponseFrame): string[] {
  const { result, bytes } = answer;
  if (result === undefined || bytes.length > MAX_SEARCHED_BYTES || !bytes.includes('"resource')) return [];
  const content = valueAt(answer, 'result', 'content');
  return Array.isArray(content) ? content.flatMap(uriOf) : [];
}

function uriOf(block: unknown): string[] {
  if (typeof block !== 'object' || block === null) return [];
  const { uri, resource } = block as { uri?: unknown; resource?: { uri?: unknown } | null };
  return [uri, resource?.uri].filter((value) => typeof value === 'string');
}

/** What could not be read is no JSON. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const RESOURCE_NOT_FOUND = -32002;

/** Whether a number is one that a server may give errors of its own. */
export function isServerError(code: number): boolean {
  return code <= -32000 && code >= -32099;
}

/** Whether only a server that knows protocol 2026-07-28 sends it: it has understood us, whatever it refuses. */
export function isModernError(code: number): boolean {
  return code <= -32020 && code >= -32022;
}

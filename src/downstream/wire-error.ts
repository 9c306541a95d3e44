import { cut } from '../cut.ts';
import { type ErrorCode, errorText, ToolsiftError } from '../errors.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Logger } from '../log.ts';
import { INTERNAL_ERROR } from '../mcp/error-codes.ts';
import { MAX_ERROR_CHARACTERS } from './budgets.ts';

/**
 * Answers a `tools/call` that failed on our side. What a model can act on is a tool result with `isError`
 * (specification, server/tools, *Error Handling*); an upstream's own errors never come through here.
 */
export function answerToolError(request: IncomingRequest, error: ToolsiftError): void {
  request.result(toolErrorResult(error.code, error.message));
}

export function toolErrorResult(code: ErrorCode, text: string): string {
  return JSON.stringify({
    content: [{ type: 'text', text: cut(text, MAX_ERROR_CHARACTERS) }],
    isError: true,
    _meta: { 'toolsift/error': code },
  });
}

/** A failure of a server, in a sentence that names it. */
export function serverError(server: string, error: unknown, what = 'is not available'): ToolsiftError {
  const code = error instanceof ToolsiftError ? error.code : 'upstream_unavailable';
  return new ToolsiftError(code, `server "${server}" ${what}: ${errorText(error)}`, {
    cause: error,
    facts: { ...(error instanceof ToolsiftError ? error.facts : {}), server },
  });
}

/** Answers a request that failed for a reason nobody foresaw; the stack goes to the log. */
export function answerBug(request: IncomingRequest, error: unknown, log: Logger): void {
  log.error(
    `bug while answering ${request.frame.method}: ${error instanceof Error ? error.stack : String(error)}`,
  );
  request.error(INTERNAL_ERROR, 'internal error of toolsift; its log on stderr has the details');
}

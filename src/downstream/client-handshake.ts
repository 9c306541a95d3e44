import { joinChunks, splice } from '../json/splice.ts';
import { at, parsePart, type RequestFrame, textOf } from '../jsonrpc/frame.ts';
import { answeredVersion, NEWEST_VERSION } from '../mcp/protocol-version.ts';

/** The `params` of `initialize` for upstreams when there is no client to speak for: it declares nothing. */
export function ownInitializeParams(version: string): string {
  return JSON.stringify({
    protocolVersion: NEWEST_VERSION,
    capabilities: {},
    clientInfo: { name: 'toolsift', version },
  });
}

export interface ReadInitialize {
  /** The version to answer with, and to ask upstreams for. */
  readonly protocolVersion: string;
  /** The client's own `params`, which upstreams get as they are but for a version nobody knows. */
  readonly upstreamParams: string | undefined;
}

export function readInitialize(initialize: RequestFrame): ReadInitialize {
  const span = at(initialize, 'params', 'protocolVersion');
  const asked = parsePart(initialize, span);
  const protocolVersion = answeredVersion(asked);
  const { params } = initialize;
  if (params === undefined || span === undefined) return { protocolVersion, upstreamParams: undefined };
  if (asked === protocolVersion) return { protocolVersion, upstreamParams: textOf(initialize, params) };
  const text = initialize.bytes.subarray(0, params.end);
  const edited = joinChunks(splice(text, [{ span, text: JSON.stringify(protocolVersion) }]));
  return { protocolVersion, upstreamParams: edited.toString('utf8', params.start) };
}

import type { Span } from '../../json/scan.ts';
import { at, parsePart } from '../../jsonrpc/frame.ts';
import type { IncomingRequest } from '../../jsonrpc/incoming-request.ts';
import type { Peer } from '../../jsonrpc/peer.ts';
import { INVALID_PARAMS } from '../../mcp/error-codes.ts';
import type { PromptDirectory } from '../lists/prompt-directory.ts';
import type { ResourceDirectory } from '../lists/resource-directory.ts';
import type { UpstreamViews } from '../upstream-view.ts';
import { forwardToOwner } from './forward-to-owner.ts';

export interface PromptRoutes {
  readonly prompts: PromptDirectory;
  readonly resources: ResourceDirectory;
  readonly upstreams: UpstreamViews;
  readonly client: Peer;
}

/** Routes `prompts/get` to the server the prompt is from. */
export async function getPrompt(request: IncomingRequest, routes: PromptRoutes): Promise<void> {
  const { frame } = request;
  await forwardNamed(request, at(frame, 'params', 'name'), routes);
}

/** Routes `completion/complete` by what it refers to: a prompt, or a resource template. */
export async function complete(request: IncomingRequest, routes: PromptRoutes): Promise<void> {
  const { frame } = request;
  const uriSpan = at(frame, 'params', 'ref', 'uri');
  if (uriSpan === undefined) return forwardNamed(request, at(frame, 'params', 'ref', 'name'), routes);
  const uri = parsePart(frame, uriSpan);
  const owner = typeof uri === 'string' ? routes.resources.ownerOfTemplate(uri) : undefined;
  const upstream = owner === undefined ? undefined : routes.upstreams.get(owner.server);
  if (owner === undefined || upstream === undefined) {
    request.error(INVALID_PARAMS, `Unknown resource: ${String(uri)}`);
    return;
  }
  const edits = owner.uri === uri ? [] : [{ span: uriSpan, text: JSON.stringify(owner.uri) }];
  await forwardToOwner({ request, client: routes.client, upstream, edits });
}

async function forwardNamed(
  request: IncomingRequest,
  span: Span | undefined,
  routes: PromptRoutes,
): Promise<void> {
  const { frame } = request;
  const name = parsePart(frame, span);
  const prompt = typeof name === 'string' ? routes.prompts.find(name) : undefined;
  const upstream = prompt === undefined ? undefined : routes.upstreams.get(prompt.server);
  if (span === undefined || prompt === undefined || upstream === undefined) {
    request.error(
      INVALID_PARAMS,
      `Unknown prompt: ${String(name)} (prompts/list names the prompts there are)`,
    );
    return;
  }
  const edits = prompt.name === name ? [] : [{ span, text: JSON.stringify(prompt.name) }];
  await forwardToOwner({ request, client: routes.client, upstream, edits });
}

import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Method } from '../mcp/methods.ts';
import { callTool } from './call-tool.ts';
import type { AdvertisedLists } from './lists/advertised-lists.ts';
import type { MetaToolContext } from './meta-tools/meta-tool.ts';
import type { LogLevelRelay } from './routes/log-level-relay.ts';
import { complete, getPrompt, type PromptRoutes } from './routes/prompts.ts';
import type { Resources } from './routes/resources.ts';
import type { Tasks } from './routes/tasks.ts';

export type Route = (request: IncomingRequest, parts: RouteParts) => void | Promise<void>;

export interface RouteParts {
  readonly lists: AdvertisedLists;
  readonly resources: Resources;
  readonly tasks: Tasks;
  readonly logLevel: LogLevelRelay;
  readonly context: MetaToolContext;
}

/** What is done with each method a client may ask for, `initialize` and `ping` excepted. */
export const ROUTES: ReadonlyMap<string, Route> = new Map<Method, Route>([
  ['tools/list', async (request, { lists }) => request.result('{"tools":', await lists.listTools(), '}')],
  ['tools/call', (request, { lists, context }) => callTool(request, lists.tools, context)],
  ['resources/list', list('resources', ({ lists }) => lists.resources.resources)],
  ['resources/templates/list', list('resourceTemplates', ({ lists }) => lists.resources.templates)],
  ['resources/read', (request, { resources }) => resources.route(request)],
  ['resources/subscribe', (request, { resources }) => resources.route(request)],
  ['resources/unsubscribe', (request, { resources }) => resources.route(request)],
  ['prompts/list', list('prompts', ({ lists }) => lists.prompts.prompts)],
  ['prompts/get', (request, parts) => getPrompt(request, promptRoutes(parts))],
  ['completion/complete', (request, parts) => complete(request, promptRoutes(parts))],
  ['logging/setLevel', (request, { logLevel }) => logLevel.setLevel(request)],
  ['tasks/list', (request, { tasks }) => tasks.list(request)],
  ['tasks/get', (request, { tasks }) => tasks.route(request)],
  ['tasks/result', (request, { tasks }) => tasks.route(request)],
  ['tasks/cancel', (request, { tasks }) => tasks.route(request)],
]);

function list(key: string, items: (parts: RouteParts) => readonly string[]): Route {
  return async (request, parts) => {
    await parts.lists.untilListed();
    request.result(`{"${key}":[`, items(parts).join(','), ']}');
  };
}

function promptRoutes({ lists, context: { upstreams, client } }: RouteParts): PromptRoutes {
  return { prompts: lists.prompts, resources: lists.resources, upstreams, client };
}

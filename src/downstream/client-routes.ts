import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Method } from '../mcp/methods.ts';
import { callTool } from './call-tool.ts';
import type { AdvertisedLists } from './lists/advertised-lists.ts';
import type { MetaToolContext } from './meta-tools/meta-tool.ts';
import type { LogLevelRelay } from './routes/log-level-relay.ts';
import { complete, getPrompt } from './routes/prompts.ts';
import type { Resources } from './routes/resources.ts';
import type { Tasks } from './routes/tasks.ts';

export type Route = (request: IncomingRequest) => void | Promise<void>;

export interface RouteParts {
  readonly lists: AdvertisedLists;
  readonly resources: Resources;
  readonly tasks: Tasks;
  readonly logLevel: LogLevelRelay;
  readonly context: MetaToolContext;
}

/** What is done with each method a client may ask for, `initialize` excepted. */
export function makeRoutes({
  lists,
  resources,
  tasks,
  logLevel,
  context,
}: RouteParts): ReadonlyMap<string, Route> {
  const { upstreams, client } = context;
  const promptRoutes = { prompts: lists.prompts, resources: lists.resources, upstreams, client };
  const list =
    (key: string, items: () => readonly string[]): Route =>
    async (request) => {
      await lists.settled();
      request.result(`{"${key}":[`, items().join(','), ']}');
    };
  return new Map<Method, Route>([
    ['ping', (request) => request.result('{}')],
    ['tools/list', async (request) => request.result('{"tools":', await lists.listTools(), '}')],
    ['tools/call', (request) => callTool(request, lists.tools, context)],
    ['resources/list', list('resources', () => lists.resources.resources)],
    ['resources/templates/list', list('resourceTemplates', () => lists.resources.templates)],
    ['resources/read', (request) => resources.route(request)],
    ['resources/subscribe', (request) => resources.route(request)],
    ['resources/unsubscribe', (request) => resources.route(request)],
    ['prompts/list', list('prompts', () => lists.prompts.prompts)],
    ['prompts/get', (request) => getPrompt(request, promptRoutes)],
    ['completion/complete', (request) => complete(request, promptRoutes)],
    ['logging/setLevel', (request) => logLevel.setLevel(request)],
    ['tasks/list', (request) => tasks.list(request)],
    ['tasks/get', (request) => tasks.route(request)],
    ['tasks/result', (request) => tasks.route(request)],
    ['tasks/cancel', (request) => tasks.route(request)],
  ]);
}

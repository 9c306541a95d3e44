import { type Environment, fixtureEntry, fixturePath } from './environment.ts';
import { type Answer, LineClient, parseAnswer } from './line-client.ts';

export interface PayloadArguments {
  readonly kind: 'text' | 'structured';
  readonly bytes: number;
}

/** One way for a call to reach the payload server. */
export interface Route {
  readonly name: string;
  readonly isToolsift: boolean;
  readonly call: (args: PayloadArguments) => Promise<Answer>;
}

export interface OpenRoutes {
  readonly direct: Route;
  /** Direct first. */
  readonly all: readonly Route[];
  readonly close: () => Promise<void>;
}

/** Starts every route; a payload server of its own stands behind each process. */
export async function openRoutes(environment: Environment): Promise<OpenRoutes> {
  const config = { servers: { payload: fixtureEntry('payload-server.mjs') }, pinned: ['payload/payload'] };
  const server = new LineClient(environment.fixture('payload-server.mjs'));
  const toolsift = new LineClient(environment.toolsift('calls', config));
  const proxy = new LineClient(
    environment.fixture('sdk-proxy.mjs', process.execPath, fixturePath('payload-server.mjs')),
  );
  const clients = [server, toolsift, proxy];
  const close = async (): Promise<void> => {
    await Promise.all(clients.map((client) => client.close()));
  };
  try {
    for (const client of clients) {
      await client.initialize();
      await client.request('tools/list', {});
    }
  } catch (error) {
    await close();
    throw error;
  }
  const payload = (client: LineClient) => (args: PayloadArguments) => client.callTool('payload', args);
  const direct: Route = { name: 'direct', isToolsift: false, call: payload(server) };
  const all: Route[] = [
    direct,
    { name: 'toolsift, invoke_tool', isToolsift: true, call: (args) => invokePayload(toolsift, args) },
    { name: 'toolsift, pinned tool', isToolsift: true, call: payload(toolsift) },
    { name: 'plain SDK proxy', isToolsift: false, call: payload(proxy) },
  ];
  return { direct, all, close };
}

export function invokePayload(client: LineClient, args: PayloadArguments): Promise<Answer> {
  return client.callTool('invoke_tool', { server: 'payload', name: 'payload', arguments: args });
}

/** A fast wrong answer is no figure: every route must deliver what the server sent. */
export async function checkSameResult(routes: OpenRoutes, args: PayloadArguments): Promise<void> {
  const expected = await resultText(routes.direct, args);
  for (const route of routes.all) {
    const actual = await resultText(route, args);
    if (actual === expected) continue;
    const shape = `${args.kind}, ${args.bytes} bytes`;
    throw new Error(`${route.name} changed the result (${shape}): ${actual.slice(0, 300)}`);
  }
}

async function resultText(route: Route, args: PayloadArguments): Promise<string> {
  const { result, error } = parseAnswer(await route.call(args));
  return JSON.stringify(error ?? result);
}

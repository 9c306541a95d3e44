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
  /** The process the client talks to. */
  readonly client: LineClient;
  readonly call: (args: PayloadArguments) => Promise<Answer>;
}

export interface OpenRoutes {
  readonly direct: Route;
  /** The least that a proxy of two processes can do. */
  readonly relay: Route;
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
  const byteRelay = new LineClient(
    environment.fixture('byte-relay.mjs', process.execPath, fixturePath('payload-server.mjs')),
  );
  const clients = [server, toolsift, byteRelay, proxy];
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
  const route = (name: string, client: LineClient, call = callPayload): Route => {
    return { name, client, isToolsift: client === toolsift, call: (args) => call(client, args) };
  };
  const direct = route('direct', server);
  const relay = route('byte relay', byteRelay);
  const all = [
    direct,
    relay,
    route('toolsift, invoke_tool', toolsift, invokePayload),
    route('toolsift, pinned tool', toolsift),
    route('plain SDK proxy', proxy),
  ];
  return { direct, relay, all, close };
}

function callPayload(client: LineClient, args: PayloadArguments): Promise<Answer> {
  return client.callTool('payload', args);
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

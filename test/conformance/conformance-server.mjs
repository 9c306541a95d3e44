// Offers the tools, prompts and resources that the official conformance scenarios name.
// Started as a program it speaks stdio; `createConformanceServer` is for any other transport.
import { pathToFileURL } from 'node:url';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { recordPid } from '../fixtures/lib/raw-server.mjs';
import { prompts } from './prompts.mjs';
import { readResource, resources, resourceTemplates } from './resources.mjs';
import { tools } from './tools.mjs';

export function createConformanceServer() {
  const server = new Server(
    { name: 'conformance-server', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
      instructions: 'Serves the official conformance scenarios.',
    },
  );
  const subscribed = new Set();

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ run, ...listed }) => listed),
  }));
  server.setRequestHandler(CallToolRequestSchema, (request, context) =>
    named(tools, request.params.name).run(request.params.arguments ?? {}, {
      server,
      progressToken: request.params._meta?.progressToken,
      notify: context.sendNotification,
      ask: context.sendRequest,
    }),
  );
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: prompts.map(({ messages, ...listed }) => listed),
  }));
  server.setRequestHandler(GetPromptRequestSchema, (request) => ({
    messages: named(prompts, request.params.name).messages(request.params.arguments ?? {}),
  }));
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
  server.setRequestHandler(ReadResourceRequestSchema, (request) => readResource(request.params.uri));
  server.setRequestHandler(SubscribeRequestSchema, (request) => {
    subscribed.add(request.params.uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, (request) => {
    subscribed.delete(request.params.uri);
    return {};
  });
  server.setRequestHandler(CompleteRequestSchema, (request) => ({
    completion: { values: [`${request.params.argument.value}-value`], total: 1, hasMore: false },
  }));
  return server;
}

function named(items, name) {
  const item = items.find((one) => one.name === name);
  if (!item) throw new McpError(ErrorCode.InvalidParams, `Unknown name: ${name}`);
  return item;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  recordPid();
  process.stdin.on('end', () => process.exit(0));
  await createConformanceServer().connect(new StdioServerTransport());
}

import type { UpstreamSnapshot } from '../../src/catalog/catalog.ts';
import { readTools } from '../../src/catalog/catalog-tool.ts';

/** A tool definition as a server writes it. */
export function toolText(name: string, more: object = {}): string {
  return JSON.stringify({ name, description: `Does ${name}`, inputSchema: { type: 'object' }, ...more });
}

/** What a server offers that has these tools, by name or by definition, and nothing else unless it is said. */
export function snapshotOf(
  server: string,
  tools: readonly string[],
  more: Partial<UpstreamSnapshot> = {},
): UpstreamSnapshot {
  const definitions = tools.map((tool) => (tool.startsWith('{') ? tool : toolText(tool)));
  return {
    initializeResult: '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}',
    tools: readTools(server, definitions),
    resources: [],
    resourceTemplates: [],
    prompts: [],
    ...more,
  };
}

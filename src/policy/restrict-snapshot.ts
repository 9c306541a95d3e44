import type { UpstreamSnapshot } from '../catalog/catalog.ts';
import type { Access } from './access.ts';

/**
 * What a caller may know of what a server offers; undefined where it may not know of the server. Whatever is left is
 * as the server wrote it.
 */
export function restrictSnapshot(
  server: string,
  snapshot: UpstreamSnapshot,
  access: Access,
): UpstreamSnapshot | undefined {
  if (!access.seesServer(server)) return undefined;
  const allows = (item: unknown) => typeof item === 'string' && access.allows(server, item);
  const tools = snapshot.tools.filter(({ name }) => allows(name));
  const { index, ...rest } = snapshot;
  return {
    ...rest,
    tools,
    resources: snapshot.resources.filter((text) => allows(memberOf(text, 'uri'))),
    resourceTemplates: snapshot.resourceTemplates.filter((text) => allows(memberOf(text, 'uriTemplate'))),
    prompts: snapshot.prompts.filter((text) => allows(memberOf(text, 'name'))),
    // It holds the words of all tools, also of those that were left out.
    ...(index !== undefined && tools.length === snapshot.tools.length ? { index } : {}),
  };
}

function memberOf(text: string, key: string): unknown {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerEntry } from './fixture.ts';
import type { Json } from './message.ts';

/** A published server and a call of each of its tools, in an order that makes sense in an empty `folder`. */
export interface RealServer {
  readonly entry: ServerEntry;
  readonly calls: [tool: string, args: Json][];
  /** Tools left out, with the reason. */
  readonly leftOut: Record<string, string>;
  /** The tool that shows the roots, where the server asks for them by itself once it is greeted. */
  readonly showsRoots?: string;
}

/** Two runs see the same files: nothing else may make their answers differ. */
export function resetFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'sub'), { recursive: true });
  writeFileSync(join(folder, 'a.txt'), 'first\nsecond é\nthird\n');
  writeFileSync(join(folder, 'sub', 'b.md'), '# b\n');
}

export function realServers(folder: string): Record<string, RealServer> {
  const file = (name: string) => join(folder, name);
  const published = (name: string): string =>
    fileURLToPath(
      new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url),
    );
  const node = (name: string, env: Record<string, string> = {}): ServerEntry => ({
    command: process.execPath,
    args: [published(name)],
    env,
  });
  const anne = { name: 'Anne', entityType: 'person', observations: ['likes é'] };
  const knows = { from: 'Anne', to: 'Bob', relationType: 'knows' };

  return {
    everything: {
      entry: node('everything'),
      calls: [
        ['echo', { message: 'héllo \u2028 "quoted"' }],
        ['get-annotated-message', { messageType: 'error', includeImage: true }],
        ['get-resource-links', { count: 3 }],
        ['get-structured-content', { location: 'Chicago' }],
        ['get-sum', { a: 0.1, b: 0.2 }],
        ['get-sum', { a: 'no number' }],
        ['get-tiny-image', {}],
        ['gzip-file-as-resource', { name: 'x.gz', data: 'data:text/plain,hello', outputType: 'resource' }],
        ['trigger-long-running-operation', { duration: 0.1, steps: 2 }],
        ['get-roots-list', {}],
        ['trigger-elicitation-request', {}],
        ['trigger-url-elicitation', { url: 'https://x.example/', message: 'm', elicitationId: 'e-1' }],
        ['trigger-sampling-request', { prompt: 'p', maxTokens: 5 }],
        ['toggle-simulated-logging', {}],
        ['toggle-simulated-logging', {}],
        ['toggle-subscriber-updates', {}],
        ['toggle-subscriber-updates', {}],
      ],
      leftOut: {
        'get-resource-reference': 'shows the time of day',
        'get-env': 'the two processes have different environments',
        'simulate-research-query': 'runs as a task, whose id is random',
      },
      showsRoots: 'get-roots-list',
    },
    filesystem: {
      entry: node('filesystem'),
      calls: [
        ['list_allowed_directories', {}],
        ['read_file', { path: file('a.txt') }],
        ['read_text_file', { path: file('a.txt'), tail: 1 }],
        ['read_media_file', { path: file('a.txt') }],
        ['read_multiple_files', { paths: [file('a.txt'), file('missing.txt')] }],
        ['write_file', { path: file('new.txt'), content: 'x "y" \\ z\n' }],
        ['edit_file', { path: file('new.txt'), edits: [{ oldText: 'x', newText: 'é' }] }],
        ['create_directory', { path: file('made') }],
        ['list_directory', { path: folder }],
        ['list_directory_with_sizes', { path: folder, sortBy: 'size' }],
        ['directory_tree', { path: folder }],
        ['move_file', { source: file('new.txt'), destination: file('made/moved.txt') }],
        ['search_files', { path: folder, pattern: '**/*.txt' }],
        ['read_file', { path: '/outside/of/it' }],
      ],
      leftOut: { get_file_info: 'shows when the file was made' },
      showsRoots: 'list_allowed_directories',
    },
    memory: {
      entry: node('memory', { MEMORY_FILE_PATH: file('memory.jsonl') }),
      calls: [
        ['create_entities', { entities: [anne, { ...anne, name: 'Bob' }] }],
        ['create_relations', { relations: [knows] }],
        ['add_observations', { observations: [{ entityName: 'Anne', contents: ['sings'] }] }],
        ['add_observations', { observations: [{ entityName: 'Nobody', contents: ['x'] }] }],
        ['search_nodes', { query: 'sings' }],
        ['open_nodes', { names: ['Anne', 'Bob'] }],
        ['delete_observations', { deletions: [{ entityName: 'Anne', observations: ['sings'] }] }],
        ['delete_relations', { relations: [knows] }],
        ['delete_entities', { entityNames: ['Bob'] }],
        ['read_graph', {}],
      ],
      leftOut: {},
    },
  };
}

import { oneLine } from '../foreign-text.ts';
import type { ToolProxy } from '../proxy/proxy.ts';
import { type Command, type ConfigArgs, configOption } from './command.ts';
import { DONE } from './exit-codes.ts';
import { startUnknown } from './start-unknown.ts';
import { withProxy } from './with-proxy.ts';

interface ListArgs extends ConfigArgs {
  readonly json: boolean;
}

interface ListedServer {
  readonly name: string;
  readonly state: string;
  readonly tools: number;
  readonly reason?: string;
}

export const list: Command<ListArgs> = {
  command: 'list',
  aliases: 'ls',
  describe: 'Show state and number of tools of each server; unknown ones are started to be listed',
  builder: (yargs) =>
    configOption(yargs)
      .option('json', { type: 'boolean', default: false, describe: 'Print JSON' })
      .example('$0 list', 'a table')
      .example('$0 list --json', 'for scripts'),
  run: async (args, screen) => {
    const servers = await withProxy(args, async (proxy) => {
      await startUnknown(proxy);
      return describe(proxy);
    });
    if (args.json) screen.sayJson(JSON.stringify({ servers }, undefined, 2));
    else screen.say(table(servers));
    return DONE;
  },
};

function describe(proxy: ToolProxy): ListedServer[] {
  return [...proxy.own.upstreams.values()].map(({ name, status: { state, reason } }) => ({
    name,
    state,
    tools: proxy.own.catalog.upstream(name)?.tools.size ?? 0,
    ...(reason === undefined ? {} : { reason }),
  }));
}

function table(servers: readonly ListedServer[]): string {
  if (servers.length === 0) return 'No servers configured; add one: toolsift add-server <name> -- <command>';
  const rows = servers.map(({ name, state, tools, reason = '' }) =>
    [name, state, String(tools), reason].map(oneLine),
  );
  const head = ['NAME', 'STATE', 'TOOLS', ''];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === head.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [head, ...rows].map(line).join('\n');
}

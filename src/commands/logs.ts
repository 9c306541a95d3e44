import { createReadStream, existsSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { CommandModule } from 'yargs';
import { loadConfig } from '../config/load-config.ts';
import { ToolsiftError } from '../errors.ts';
import { userFolders } from '../proxy/user-folders.ts';
import { watchFileChanges } from '../proxy/watch-file.ts';
import { logFileOf } from '../upstream/server-log.ts';
import { unknownServer } from './unknown-server.ts';
import type { ConfigArgs } from './with-proxy.ts';

interface LogsArgs extends ConfigArgs {
  readonly server: string;
  readonly follow: boolean;
}

export const logs: CommandModule<object, LogsArgs> = {
  command: 'logs <server>',
  describe: 'Show what a server wrote to stderr, where "log" is on for it',
  builder: (yargs) =>
    yargs
      .positional('server', { type: 'string', demandOption: true, describe: 'Name of the server' })
      .option('follow', {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'Go on with what is written from now on',
      })
      .option('config', { type: 'string', nargs: 1, describe: 'The toolsift.json to use' })
      .example('$0 logs github', 'what has been kept')
      .example('$0 logs github -f', 'and what follows, until Ctrl-C'),
  handler: async ({ server, follow, config: flag }) => {
    const { file: configFile, servers } = await loadConfig({ flag });
    const config = servers.get(server);
    if (config === undefined) throw unknownServer(server, configFile, [...servers.keys()]);
    const file = logFileOf(userFolders().log, server);
    if (!config.keepsLog && !existsSync(file)) {
      throw new ToolsiftError('usage', `no log of "${server}" is kept; set "log": true in its entry`);
    }
    await show(`${file}.1`, 0);
    const shown = await show(file, 0);
    if (follow) await followFile(file, shown);
  },
};

/** Copies a file to stdout from an offset on; gives the offset of its end. */
async function show(file: string, from: number): Promise<number> {
  if (!existsSync(file)) return 0;
  const { size } = statSync(file);
  if (size > from) {
    await pipeline(createReadStream(file, { start: from, end: size - 1 }), process.stdout, { end: false });
  }
  return size;
}

function followFile(file: string, from: number): Promise<never> {
  let at = from;
  let inode = inodeOf(file);
  let showing: Promise<void> = Promise.resolve();
  const keepAlive = setInterval(() => {}, 2 ** 30);
  watchFileChanges(file, () => {
    showing = showing.then(async () => {
      const now = inodeOf(file);
      // Another file in its place: the old one was moved aside, and may have grown before that.
      if (now !== inode) {
        await show(`${file}.1`, at);
        at = 0;
      }
      inode = now;
      at = await show(file, at);
    });
  });
  process.once('exit', () => clearInterval(keepAlive));
  return new Promise(() => {});
}

function inodeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.ino ?? 0;
}

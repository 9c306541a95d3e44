import { existsSync, statSync } from 'node:fs';
import { loadConfig } from '../config/load-config.ts';
import { errorText, ToolsiftError } from '../errors.ts';
import { userFolders } from '../proxy/user-folders.ts';
import { watchFileChanges } from '../proxy/watch-file.ts';
import { readRegularFile } from '../regular-file.ts';
import { logFileOf } from '../upstream/server-log.ts';
import { type Command, type ConfigArgs, configOption, type Screen } from './command.ts';
import { DONE } from './exit-codes.ts';
import { unknownServer } from './unknown-server.ts';

/** Logs are moved aside long before they grow as large. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;

interface LogsArgs extends ConfigArgs {
  readonly server: string;
  readonly follow: boolean;
}

export const logs: Command<LogsArgs> = {
  command: 'logs <server>',
  describe: 'Show what a server wrote to stderr, where "log" is on for it',
  builder: (yargs) =>
    configOption(yargs)
      .positional('server', { type: 'string', demandOption: true, describe: 'Name of the server' })
      .option('follow', {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'Go on with what is written from now on',
      })
      .example('$0 logs github', 'what has been kept')
      .example('$0 logs github -f', 'and what follows, until Ctrl-C'),
  run: async ({ server, follow, config: flag }, screen) => {
    const { file: configFile, servers } = await loadConfig({ flag });
    const config = servers.get(server);
    if (config === undefined) throw unknownServer(server, configFile, [...servers.keys()]);
    const file = logFileOf(userFolders().log, server);
    if (!config.keepsLog && !existsSync(file)) {
      throw new ToolsiftError('usage', `no log of "${server}" is kept; set "log": true in its entry`);
    }
    const lines = new Lines(screen);
    lines.add(read(`${file}.1`, 0).text);
    const { text, end } = read(file, 0);
    lines.add(text);
    if (follow) await followFile(file, end, lines);
    lines.end();
    return DONE;
  },
};

/** Shows whole lines: one that is being written may go on in another file. */
class Lines {
  readonly #screen: Screen;
  #rest = '';

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  add(text: string): void {
    const all = this.#rest + text;
    const end = all.lastIndexOf('\n');
    this.#rest = all.slice(end + 1);
    if (end >= 0) this.#screen.say(all.slice(0, end));
  }

  end(): void {
    if (this.#rest !== '') this.#screen.say(this.#rest);
  }
}

/** What a file holds from an offset on, and where it ends. */
function read(file: string, from: number): { readonly text: string; readonly end: number } {
  if (!existsSync(file)) return { text: '', end: 0 };
  try {
    const bytes = readRegularFile(file, MAX_LOG_BYTES);
    return { text: bytes.toString('utf8', from), end: bytes.length };
  } catch (cause) {
    throw new ToolsiftError('usage', `the log ${file} cannot be read: ${errorText(cause)}`, { cause });
  }
}

function followFile(file: string, from: number, lines: Lines): Promise<never> {
  let at = from;
  let inode = inodeOf(file);
  const keepAlive = setInterval(() => {}, 2 ** 30);
  watchFileChanges(file, () => {
    const now = inodeOf(file);
    // Another file in its place: the old one was moved aside, and may have grown before that.
    if (now !== inode) {
      lines.add(read(`${file}.1`, at).text);
      at = 0;
    }
    inode = now;
    const { text, end } = read(file, at);
    lines.add(text);
    at = end;
  });
  process.once('exit', () => clearInterval(keepAlive));
  return new Promise(() => {});
}

function inodeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.ino ?? 0;
}

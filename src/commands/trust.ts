import { existsSync } from 'node:fs';
import { configuredNames } from '../config/edit/edit-config.ts';
import { type FoundConfig, findConfig } from '../config/find-config.ts';
import { readConfigFile } from '../config/text/config-text.ts';
import { trustedTexts } from '../proxy/known-texts.ts';
import { userFolders } from '../proxy/user-folders.ts';
import type { Command } from './command.ts';
import { DONE } from './exit-codes.ts';

interface TrustArgs {
  readonly file?: string | undefined;
}

/** `toolsift trust`: lets the servers of a file run that was found by the working directory alone. */
export const trust: Command<TrustArgs> = {
  command: 'trust [file]',
  describe: 'Let the servers of a toolsift.json run that came with a folder, as it is now',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', describe: 'The file; default: the one that would be used here' })
      .example('$0 trust', 'the toolsift.json of this folder, once you have looked at it'),
  run: async ({ file: named }, screen) => {
    const { file } = await findConfig({ flag: named });
    // Read before its servers are named, so that what is trusted is what was shown.
    const text = readConfigFile(file);
    const names = configuredNames(file);
    trustedTexts(userFolders()).add(file, text);
    const servers = names.length === 0 ? 'no servers' : `servers ${names.join(', ')}`;
    screen.say(`${file} is trusted as it is now: ${servers}. Trust it again after an edit.`);
    return DONE;
  },
};

/** Whether nothing of a file runs before somebody has looked at it. */
export function needsTrust({ file, foundBy }: FoundConfig): boolean {
  if (foundBy !== 'the working directory') return false;
  return !trustedTexts(userFolders()).has(file, readConfigFile(file));
}

/** Runs an edit that the user asked for: a file that was trusted before, or that the edit creates, is trusted after. */
export async function keepingTrust<Result>(
  { file }: FoundConfig,
  edit: () => Promise<Result>,
): Promise<Result> {
  const trusted = trustedTexts(userFolders());
  const isOurs = !existsSync(file) || trusted.has(file, readConfigFile(file));
  const result = await edit();
  if (isOurs && existsSync(file)) trusted.add(file, readConfigFile(file));
  return result;
}

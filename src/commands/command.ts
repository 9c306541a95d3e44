import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import { say, sayJson } from '../terminal.ts';

/** Where a command says what it has to say. */
export interface Screen {
  /** A text for people. */
  say(text: string): void;
  /** JSON text for programs. */
  sayJson(json: string): void;
}

/** One command of the command line. It does its work in `run`, prints only on the screen, and never ends the process. */
export interface Command<Args> extends Omit<CommandModule<object, Args>, 'handler' | 'builder'> {
  readonly builder: (yargs: Argv) => Argv<Args>;
  /** @returns the exit code, one of `exit-codes.ts` */
  readonly run: (args: ArgumentsCamelCase<Args>, screen: Screen) => Promise<number>;
}

export interface ConfigArgs {
  readonly config?: string | undefined;
}

const TERMINAL: Screen = { say, sayJson };

/** The command as yargs takes it. */
export function asModule<Args>(
  { run, ...rest }: Command<Args>,
  onexit: (exitCode: number) => void,
  screen = TERMINAL,
): CommandModule<object, Args> {
  return { ...rest, handler: async (args) => onexit(await run(args, screen)) };
}

/** The option that every command has which reads or edits the configuration. */
export function configOption<Args>(yargs: Argv<Args>): Argv<Args & ConfigArgs> {
  return yargs.option('config', { type: 'string', nargs: 1, describe: 'The toolsift.json to use' });
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

/*
 * On Windows, `npx` and what npm installs are `.cmd` files, which only cmd.exe runs. Our process library leaves it to
 * cross-spawn to find them and to quote for them. What that does is run here as on Windows, and its command lines are
 * read as Windows reads them: by cmd.exe (twice for a shim that passes its arguments on), then by the C run-time.
 */

interface Parsed {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: { readonly windowsVerbatimArguments?: boolean };
}

interface Asked {
  readonly command: string;
  readonly args: readonly string[];
}

/** A folder like those on Windows' PATH. */
function folderWith(files: Readonly<Record<string, string>>, below = ''): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolsift-windows-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = join(folder, below);
  mkdirSync(place, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text, { mode: 0o755 });
  return place;
}

/** What cross-spawn makes of command lines, by a process that takes itself to run on Windows. */
function parseAsOnWindows(asked: readonly Asked[], path: string): Parsed[] {
  const require = createRequire(createRequire(import.meta.url).resolve('execa'));
  const script = `Object.defineProperty(process, 'platform', { value: 'win32' });
    const { _parse } = require(${JSON.stringify(require.resolve('cross-spawn'))});
    const [asked, path] = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
    const env = { PATH: path };
    console.log(JSON.stringify(asked.map(({ command, args }) => _parse(command, args, { env }))));`;
  const env = { PATHEXT: '.exe;.cmd', comspec: 'cmd.exe' };
  const output = execFileSync(process.execPath, ['-e', script], {
    input: JSON.stringify([asked, path]),
    env,
  });
  return JSON.parse(output.toString()) as Parsed[];
}

/** One reading by cmd.exe: a caret takes the meaning from what follows it, except between quotes. */
function readByCmd(line: string): string {
  let read = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && '&|<>()'.includes(character))
      throw new Error(`cmd.exe would act on ${character} in ${line}`);
    read += character === '^' && !isQuoted ? line.charAt(++at) : character;
  }
  return read;
}

/** The arguments that a program gets from a command line (CommandLineToArgvW), its own name left out. */
function argumentsOf(line: string): string[] {
  const found: string[] = [];
  let current: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < line.length; ) {
    const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0;
    at += slashes;
    const isQuote = line.charAt(at) === '"';
    if (slashes > 0) current = (current ?? '') + '\\'.repeat(isQuote ? slashes >> 1 : slashes);
    if (at >= line.length) break;
    const character = line.charAt(at++);
    if (isQuote && slashes % 2 === 0) {
      isQuoted = !isQuoted;
      current ??= '';
    } else if (character === ' ' && !isQuoted) {
      if (current !== undefined) found.push(current);
      current = undefined;
    } else current = (current ?? '') + character;
  }
  return [...found, ...(current === undefined ? [] : [current])].slice(1);
}

/** What a server is given that is started by `cmd.exe /d /s /c "LINE"`. */
function receivedBy({ args }: Parsed, isShim: boolean): string[] {
  const line = (args[3] ?? '').slice(1, -1);
  const once = readByCmd(line);
  return argumentsOf(isShim ? readByCmd(once) : once);
}

const ODD_ARGUMENTS = [
  ...['two words', 'a&b', '100%', '%PATH%', 'say "hi"', '^x', '^', 'a|b>c<d', '(x)', '!x!', ''],
  ...['C:\\Program Files\\x\\', '\\\\server\\share', '\\"', "it's", 'a,b;c=d', '*.ts', '[x]?', 'ä漢😀'],
];

/** Which cross-spawn 7.0.6 gets wrong: it doubles the last one only. */
const DOUBLED_BEFORE_QUOTE = /\\\\("|$)/;

describe('commands on Windows', () => {
  it('of npm are found by their bare name and run by cmd.exe, without the caller naming .cmd', () => {
    const folder = folderWith({ 'npx.cmd': '@echo off', 'node.exe': '' });
    const [npx, node] = parseAsOnWindows(
      [
        { command: 'npx', args: ['-y', 'server'] },
        { command: 'node', args: ['a b.js'] },
      ],
      folder,
    );
    expect(npx).toMatchObject({ command: 'cmd.exe', options: { windowsVerbatimArguments: true } });
    expect(npx?.args.slice(0, 3)).toEqual(['/d', '/s', '/c']);
    expect(node, 'programs proper need no cmd.exe').toMatchObject({ command: 'node', args: ['a b.js'] });
    expect(node?.options.windowsVerbatimArguments).toBeUndefined();
  });

  it('that are scripts with a first line that names their program are run by that', () => {
    const folder = folderWith({ 'server.cmd': '#!/usr/bin/env node\n', 'node.exe': '' });
    const [server] = parseAsOnWindows([{ command: 'server', args: ['x'] }], folder);
    expect(server).toMatchObject({ command: 'node', args: [join(folder, 'server.cmd'), 'x'] });
  });

  it.each([
    ['a .cmd file', '', false],
    ['a shim of npm, which hands its arguments on to another program', 'node_modules/.bin', true],
  ])('get every argument as it was configured: %s', (_, below, isShim) => {
    const folder = folderWith({ 'server.cmd': '@echo off' }, below);
    const asked = ODD_ARGUMENTS.map((argument) => ({ command: 'server', args: ['--', argument] }));
    for (const [index, parsed] of parseAsOnWindows(asked, folder).entries()) {
      expect(receivedBy(parsed, isShim)).toEqual(['--', ODD_ARGUMENTS[index]]);
    }
  });

  it('get whatever lists of arguments as they were configured', () => {
    const folder = folderWith({ 'server.cmd': '@echo off' }, 'node_modules/.bin');
    const letters = fc.constantFrom(...' "\\^%&|<>()!;,ab');
    const argument = fc.string({ unit: letters }).filter((text) => !DOUBLED_BEFORE_QUOTE.test(text));
    const lists = fc.sample(fc.array(argument), 300);
    const parsed = parseAsOnWindows(
      lists.map((args) => ({ command: 'server', args })),
      folder,
    );
    for (const [index, one] of parsed.entries()) expect(receivedBy(one, true)).toEqual(lists[index]);
  });

  it.fails.each(['a\\\\"b', 'C:\\dir\\\\'])(
    'get backslashes in a row before a quote as they are: %s',
    (argument) => {
      const folder = folderWith({ 'server.cmd': '@echo off' });
      const [parsed] = parseAsOnWindows([{ command: 'server', args: [argument] }], folder);
      expect(parsed && receivedBy(parsed, false)).toEqual([argument]);
    },
  );

  it('that are not found are told as missing, not handed to cmd.exe as something to look for', () => {
    const [missing] = parseAsOnWindows([{ command: 'no-such & calc', args: [] }], folderWith({}));
    expect(readByCmd((missing?.args[3] ?? '').slice(1, -1))).toBe('no-such & calc');
  });
});

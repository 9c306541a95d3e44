import { resolve } from 'node:path';
import { ToolsiftError } from '../../errors.ts';
import { parseEntry } from './parse-entry.ts';

/** What a command line says about a server, besides its command. */
export interface EntryOptions {
  env: string[];
  cwd?: string | undefined;
  url?: string | undefined;
  header: string[];
  transport?: 'http' | 'sse' | undefined;
  json?: string | undefined;
}

/** Makes the entry of a server from a command line, which must name exactly one of command, `--url`, `--json`. */
export function newEntry(commandLine: readonly string[], options: EntryOptions): object {
  const [command, ...args] = commandLine;
  const { env, cwd, url, header, transport, json } = options;
  const kinds = { 'a command': command, '--url': url, '--json': json };
  const given = Object.entries(kinds).flatMap(([kind, value]) => (value === undefined ? [] : [kind]));
  if (given.length === 0) {
    throw usage('say what runs the server: -- <command> [args…], --url <url> or --json <entry>');
  }
  if (given.length > 1) throw usage(`${given.join(' and ')} exclude each other; give one of them`);
  if (command === undefined && env.length > 0) throw usage('-e goes with a command only');
  if (command === undefined && cwd !== undefined) throw usage('--cwd goes with a command only');
  if (url === undefined && header.length > 0) throw usage('-H goes with --url only');
  if (url === undefined && transport !== undefined) throw usage('--transport goes with --url only');

  if (json !== undefined) return parseEntry(json);
  if (url !== undefined) {
    const headers = pairs(header, ':', '-H must be "Name: value"');
    return { ...(transport && { type: transport }), url, ...(header.length > 0 && { headers }) };
  }
  return {
    command,
    ...(args.length > 0 && { args }),
    ...(env.length > 0 && { env: pairs(env, '=', '-e must be KEY=VALUE') }),
    ...(cwd !== undefined && { cwd: fromHere(cwd) }),
  };
}

/** Relative to where the user is, who does not think of the folder of the file. */
function fromHere(cwd: string): string {
  return /^(~|\$\{|\{env:)/.test(cwd) ? cwd : resolve(cwd);
}

function pairs(written: readonly string[], separator: ':' | '=', rule: string): Record<string, string> {
  return Object.fromEntries(
    written.map((pair) => {
      const at = pair.indexOf(separator);
      // The text is not repeated: it may be a token.
      if (at <= 0) throw usage(rule);
      const value = pair.slice(at + 1);
      return [pair.slice(0, at).trim(), separator === ':' ? value.trim() : value];
    }),
  );
}

function usage(message: string): ToolsiftError {
  return new ToolsiftError('usage', message);
}

#!/usr/bin/env node
import { parseArgs } from 'node:util';
import type { McpArgs } from './commands/mcp.ts';

/** Exit codes: 0 done, 1 failed, 2 the command line or the configuration cannot be used. */
const USAGE_CODES: ReadonlySet<unknown> = new Set([
  'usage',
  'unknown_server',
  'config_not_found',
  'config_invalid',
]);
const EXIT_GRACE_MS = 500;

const mcpArgs = readMcpArgs(process.argv.slice(2));
try {
  if (mcpArgs === undefined) {
    const { runCommandLine } = await import('./commands/command-line.ts');
    await runCommandLine(process.argv.slice(2));
  } else {
    const { runMcp } = await import('./commands/mcp.ts');
    process.exitCode = await runMcp(mcpArgs);
  }
} catch (error) {
  process.exitCode = report(error);
}
if (mcpArgs !== undefined) leave();

/** The client may still hold our stdin open. Whatever stdout has is written first, unless its reader is stuck. */
function leave(): void {
  process.stdout.write('', () => process.exit());
  setTimeout(() => process.exit(), EXIT_GRACE_MS);
}

/**
 * The arguments of a plain `toolsift mcp`, which agents start and wait for: read without the command line parser,
 * whose loading would cost as much as all the rest. Undefined for everything else, mistakes included.
 */
function readMcpArgs([command, ...args]: string[]): McpArgs | undefined {
  if (command !== 'mcp') return undefined;
  try {
    const options = { config: { type: 'string' }, only: { type: 'string' } } as const;
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
  } catch {
    // The parser proper explains what is wrong with it.
    return undefined;
  }
}

function report(error: unknown): number {
  const isOurs = error instanceof Error && error.name === 'ToolsiftError';
  const text =
    error instanceof Error ? (isOurs ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`toolsift: ${text}\n`);
  return isOurs && USAGE_CODES.has((error as { code?: unknown }).code) ? 2 : 1;
}

#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { exitCodeOf, isOurs } from './commands/exit-codes.ts';
import { type McpArgs, runMcp } from './commands/mcp.ts';
import { complain, whenWritten } from './terminal.ts';

const EXIT_GRACE_MS = 500;

void run(process.argv.slice(2));

async function run(argv: string[]): Promise<void> {
  const mcpArgs = readMcpArgs(argv);
  try {
    if (mcpArgs === undefined) {
      const { runCommandLine } = await import('./commands/command-line.ts');
      process.exitCode = await runCommandLine(argv);
    } else {
      process.exitCode = await runMcp(mcpArgs);
    }
  } catch (error) {
    report(error);
    process.exitCode = exitCodeOf(error);
  }
  if (mcpArgs !== undefined) leave();
}

/** The client may still hold our stdin open. Whatever stdout has is written first, unless its reader is stuck. */
function leave(): void {
  whenWritten(() => process.exit());
  setTimeout(() => process.exit(), EXIT_GRACE_MS);
}

/**
 * The arguments of a plain `toolsift mcp`, which agents start and wait for: read without the command line parser,
 * whose loading would cost as much as all the rest. Undefined for everything else, mistakes included.
 */
function readMcpArgs([command, ...args]: string[]): McpArgs | undefined {
  if (command !== 'mcp') return undefined;
  try {
    const option = { type: 'string' } as const;
    const options = { config: option, only: option, url: option };
    const { values } = parseArgs({ args, options, strict: true, allowPositionals: false });
    const isContradiction = values.url !== undefined && Object.keys(values).length > 1;
    return isContradiction ? undefined : values;
  } catch {
    // The parser proper explains what is wrong with it.
    return undefined;
  }
}

function report(error: unknown): void {
  const stack = error instanceof Error && !isOurs(error) ? error.stack : undefined;
  complain(`toolsift: ${stack ?? (error instanceof Error ? error.message : String(error))}`);
}

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RUNNER = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const NODE_20_HOOK = new URL('./node20-globsync.mjs', import.meta.url).href;

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Runs every server scenario of the official suite against `url`: "scenario: check" to its status. */
export async function runConformance(url: string): Promise<Map<string, string>> {
  const directory = mkdtempSync(join(tmpdir(), 'toolsift-conformance-'));
  try {
    await run(['--import', NODE_20_HOOK, RUNNER, 'server', '--url', url, '--suite', 'all', '-o', directory]);
    return new Map(readdirSync(directory).flatMap((folder) => judgements(directory, folder)));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function judgements(directory: string, folder: string): [string, string][] {
  const scenario = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
  const checks = JSON.parse(readFileSync(join(directory, folder, 'checks.json'), 'utf8')) as Check[];
  return checks
    .filter((check) => check.status !== 'INFO')
    .map((check) => [
      `${scenario}: ${check.id}`,
      [check.status, check.errorMessage].filter(Boolean).join(' '),
    ]);
}

/** The exit code only says that some check failed; the results say which. */
function run(args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { maxBuffer: 64_000_000 }, (error) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve();
    });
  });
}

// Node 20 runs no TypeScript: the benchmark is bundled first, which takes milliseconds.
import { spawnSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const file = `${root}node_modules/.cache/toolsift/bench.mjs`;
await build({
  input: 'bench/bench.ts',
  platform: 'node',
  external: /^gpt-tokenizer/,
  output: { file },
});
await import(pathToFileURL(file).href);

// The cost of remote servers has a program of its own; a whole run ends with it.
const isWhole = !['--only', '--json', '--help', '--cli'].some((option) => process.argv.includes(option));
if (isWhole) {
  const args = process.argv.includes('--quick') ? ['--rounds', '50'] : [];
  const { status } = spawnSync(process.execPath, ['bench/http.mjs', ...args], { stdio: 'inherit' });
  process.exitCode ||= status ?? 1;
}

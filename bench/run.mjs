// Node 20 runs no TypeScript: the benchmark is bundled first, which takes milliseconds.
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

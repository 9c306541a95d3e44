// Node 20 runs no TypeScript: the chosen script is bundled first, which takes milliseconds.
import { copyFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));
process.chdir(root);
const script =
  ['train', 'plain', 'doubts', 'plot', 'distil/pieces'].find((name) => name === process.argv[2]) ?? 'main';
const file = `${root}node_modules/.cache/toolsift/retrieval-${script.replace('/', '-')}.mjs`;
await build({
  input: `bench/retrieval/${script}.ts`,
  platform: 'node',
  external: /^gpt-tokenizer/,
  output: { file },
});
copyFileSync(
  `${root}src/search/meaning/token-vectors.bin`,
  `${root}node_modules/.cache/toolsift/token-vectors.bin`,
);
await import(pathToFileURL(file).href);

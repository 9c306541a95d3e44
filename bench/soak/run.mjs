// Bundles the soak, as Node 20 runs no TypeScript, and runs it on the built command.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));
process.chdir(root);
const file = `${root}node_modules/.cache/toolsift/soak.mjs`;
await build({ input: 'bench/soak/soak.ts', platform: 'node', output: { file } });
await import(pathToFileURL(file).href);

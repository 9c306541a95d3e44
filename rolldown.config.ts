import { defineConfig } from 'rolldown';
import { bundledLicences } from './bundled-licences.config.ts';
import { configJsonSchema } from './src/config/schema/json-schema.ts';

// One entry a process can start with, the rest in chunks that load when first used: `toolsift mcp` must
// answer `initialize` before it pays for child processes, HTTP or the command line parser.
export default defineConfig({
  input: { cli: 'src/cli.ts', index: 'src/index.ts' },
  platform: 'node',
  // Some packages ship a UMD build as `main`, which no bundler can follow.
  resolve: { mainFields: ['module', 'main'] },
  output: {
    dir: 'dist',
    format: 'esm',
    cleanDir: true,
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
  plugins: [
    {
      name: 'config-json-schema',
      generateBundle() {
        const source = JSON.stringify(configJsonSchema(), undefined, 2);
        this.emitFile({ type: 'asset', fileName: 'toolsift.schema.json', source });
      },
    },
    bundledLicences(),
  ],
});

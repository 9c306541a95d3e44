import { defineConfig, type OutputOptions, type RolldownOptions } from 'rolldown';
import { bundledLicences } from './bundled-licences.config.ts';
import { configJsonSchema } from './src/config/schema/json-schema.ts';

const common: RolldownOptions = {
  platform: 'node',
  // Some packages ship a UMD build as `main`, which no bundler can follow.
  resolve: { mainFields: ['module', 'main'] },
};

const output: OutputOptions = {
  dir: 'dist',
  format: 'esm',
  minify: true,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
};

export default defineConfig([
  // One file a session starts with, the rest in chunks that load when first used: `toolsift mcp` must answer
  // `initialize` before it pays for search, child processes, HTTP or the command line parser.
  {
    ...common,
    input: { cli: 'src/cli.ts' },
    output: {
      ...output,
      cleanDir: true,
      // Every file more costs a start about a millisecond.
      codeSplitting: {
        groups: [
          { name: 'mcp', test: /src[\\/]commands[\\/]mcp\.ts$/, priority: 2 },
          { name: 'search', test: /src[\\/]search[\\/]search\.ts$/, priority: 1 },
        ],
      },
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
  },
  // The library stands alone: who imports it gets nothing of the program.
  { ...common, input: { index: 'src/index.ts' }, output },
]);

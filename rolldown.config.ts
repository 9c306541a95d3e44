import { readFileSync } from 'node:fs';
import { defineConfig, type OutputOptions, type Plugin, type RolldownOptions } from 'rolldown';
import { bundledLicences } from './bundled-licences.config.ts';
import { configJsonSchema } from './src/config/schema/json-schema.ts';

const common: RolldownOptions = {
  platform: 'node',
  // Some packages ship a UMD build as `main`, which no bundler can follow.
  resolve: { mainFields: ['module', 'main'] },
};

const output: OutputOptions = {
  minify: true,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
};

/** Says what Node takes the files beside it for. */
function packageType(type: 'commonjs' | 'module'): Plugin {
  return {
    name: 'package-type',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'package.json', source: `${JSON.stringify({ type })}\n` });
    },
  };
}

/** The vectors of words: beside the program, one folder above its chunks and the library. */
function tokenVectors(): Plugin {
  return {
    name: 'token-vectors',
    generateBundle() {
      const source = readFileSync('src/search/meaning/token-vectors.bin');
      this.emitFile({ type: 'asset', fileName: 'token-vectors.bin', source });
    },
  };
}

export default defineConfig([
  // One file a session starts with, the rest in chunks that load when first used: `toolsift mcp` must answer
  // `initialize` before it pays for search, child processes, HTTP or the command line parser. CommonJS, as the loader
  // of modules alone costs a start several milliseconds.
  {
    ...common,
    input: { cli: 'src/cli.ts' },
    // The command line parser asks for it where it looks for configuration files of its own, which we have none of.
    checks: { emptyImportMeta: false },
    output: {
      ...output,
      dir: 'dist',
      format: 'cjs',
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
      tokenVectors(),
      bundledLicences(),
      packageType('commonjs'),
    ],
  },
  // The library stands alone: who imports it gets nothing of the program.
  {
    ...common,
    input: { index: 'src/index.ts' },
    output: { ...output, dir: 'dist/library', format: 'esm' },
    plugins: [packageType('module')],
  },
]);

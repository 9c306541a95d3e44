// node test/mutants/run.mjs [FOLDER OR FILE...]: changes the code in thousands of small ways, runs the tests beside it
// against each, and says how many of the changes they notice.
//
// Stryker needs a newer Node than we support, so both are kept apart from our packages, in a folder of their own.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEFAULT_TARGETS = ['src/search', 'src/jsonrpc', 'src/catalog', 'src/upstream/supervisor.ts'];
const STRYKER = '10.1.1';
const NODE = '26.12.1';

process.chdir(ROOT);
const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const tools = path.join(tmpdir(), `toolsift-mutants-${STRYKER}-${NODE}`);
const node = path.join(tools, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
if (!existsSync(node)) install();

const targets = process.argv.slice(2);
let failed = false;
for (const target of targets.length > 0 ? targets : DEFAULT_TARGETS) failed = !mutate(target) || failed;
process.exitCode = failed ? 1 : 0;

function install() {
  mkdirSync(tools, { recursive: true });
  writeFileSync(path.join(tools, 'package.json'), '{"private":true}\n');
  const packages = [
    `@stryker-mutator/core@${STRYKER}`,
    `@stryker-mutator/vitest-runner@${STRYKER}`,
    `node-${process.platform}-${process.arch}@${NODE}`,
    `vitest@${devDependencies.vitest}`,
    `vite@${devDependencies.vite}`,
  ];
  const options = ['--no-audit', '--no-fund', '--loglevel', 'error'];
  run('npm', ['install', '--prefix', tools, ...options, ...packages]);
}

/** @param {string} target a folder or a file of src */
function mutate(target) {
  const isFile = target.endsWith('.ts');
  const folder = isFile ? path.dirname(target) : target;
  const config = {
    testRunner: 'vitest',
    plugins: [path.join(tools, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    vitest: { configFile: 'test/mutants/vitest.config.ts' },
    mutate: [isFile ? target : `${target}/**/*.ts`],
    ignorePatterns: ['dist', 'coverage', 'bench/retrieval/distil'],
    reporters: ['clear-text', 'json'],
    clearTextReporter: { allowColor: false, logTests: false },
    jsonReporter: { fileName: path.join(tools, `${target.replaceAll('/', '-')}.json`) },
    coverageAnalysis: 'perTest',
    concurrency: Number(process.env.MUTANTS_AT_ONCE ?? 2),
    allowEmpty: true,
    tempDirName: '.mutants',
    // There is nothing to rewrite in ours, and reading it takes an older TypeScript.
    tsconfigFile: 'none',
  };
  const file = path.join(tools, 'stryker.config.json');
  writeFileSync(file, JSON.stringify(config));
  const env = { ...process.env, MUTANTS_TESTS: folder.replace(/^src/, 'test') };
  const cli = path.join(tools, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  try {
    return run(node, [cli, 'run', file], env);
  } finally {
    rmSync('.mutants', { recursive: true, force: true });
  }
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
function run(command, args, env = process.env) {
  return spawnSync(command, args, { stdio: 'inherit', env }).status === 0;
}

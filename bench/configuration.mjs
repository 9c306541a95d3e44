// node bench/configuration.mjs [RUNS]: what checking toolsift.json costs a start, in processor time of a whole process
// of Node, bundled and minified. The variants take turns.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const runs = Number(process.argv[2] ?? 20);
/** @type {Map<string, number>} */
const sizes = new Map();
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'toolsift-bench-configuration-'));
try {
  await main();
} finally {
  rmSync(folder, { recursive: true });
}

async function main() {
  const config = path.join(folder, 'toolsift.json');
  writeFileSync(config, JSON.stringify({ topK: 8, servers: Object.fromEntries(entries(20)) }, undefined, 2));
  const variants = {
    'bare Node': await bundle('bare', ''),
    'read, found valid before': await bundle('known', loading(true)),
    'read and checked, zod/mini': await bundle('mini', loading(false)),
    'read and checked, zod': await bundle('classic', loading(false), 'zod'),
  };
  const times = new Map(Object.keys(variants).map((name) => [name, /** @type {number[]} */ ([])]));
  for (let run = 0; run < runs; run += 1) {
    for (const [name, file] of Object.entries(variants)) times.get(name)?.push(cpuMs(file, config));
  }
  const [bare = 0] = [...times.values()].map(median);
  console.log(
    `20 servers, ${runs} runs each, processor time in ms (least, median, median above bare Node), size`,
  );
  for (const [name, all] of times) {
    const figures = [Math.min(...all), median(all), median(all) - bare].map((ms) =>
      ms.toFixed(1).padStart(7),
    );
    const size = sizes.get(variants[/** @type {keyof typeof variants} */ (name)]) ?? 0;
    console.log(
      `${name.padEnd(30)}${figures.join('')}${Math.round(size / 1024)
        .toString()
        .padStart(6)} KiB`,
    );
  }
}

/** @param {boolean} isKnown */
function loading(isKnown) {
  const from = JSON.stringify(path.join(root, 'src/config/load-config.ts'));
  const checked = `{ has: () => ${isKnown}, add() {} }`;
  return `import { loadConfig } from ${from};
    const { servers } = await loadConfig({ flag: process.argv[2], checked: ${checked} });
    if (servers.size !== 20) throw new Error('not read');`;
}

/**
 * @param {string} name
 * @param {string} text
 * @param {string} library what stands in for zod/mini
 */
async function bundle(name, text, library = 'zod/mini') {
  const input = path.join(folder, `${name}.mjs`);
  const dir = path.join(folder, name);
  const report = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);';
  writeFileSync(input, `${text}\n${report}`);
  await build({
    input,
    platform: 'node',
    resolve: { mainFields: ['module', 'main'], modules: [path.join(root, 'node_modules')] },
    plugins: [
      {
        name: 'library',
        resolveId(source) {
          return source === 'zod/mini' ? fileURLToPath(import.meta.resolve(library)) : undefined;
        },
      },
    ],
    output: { dir, format: 'esm', minify: true },
    logLevel: 'warn',
  });
  const file = path.join(dir, `${name}.js`);
  const chunks = readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((chunk) =>
    path.join(dir, chunk),
  );
  sizes.set(
    file,
    chunks.reduce((sum, chunk) => sum + statSync(chunk).size, 0),
  );
  return file;
}

/**
 * @param {string} file
 * @param {string} config
 */
function cpuMs(file, config) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [file, config], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

/** @param {number} count @returns {[string, object][]} */
function entries(count) {
  return Array.from({ length: count }, (_, at) =>
    at % 4 === 0
      ? [`remote-${at}`, { url: `https://example.com/${at}`, headers: { Authorization: 'Bearer x' } }]
      : [`local-${at}`, { command: 'npx', args: ['-y', `server-${at}`], env: { KEY: 'x' }, cwd: '.' }],
  );
}

/** @param {number[]} numbers */
function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

// node examples/run.mjs [STORY...]: builds toolsift where dist/ is missing or older than src/, then runs the
// stories, all of them by default. Exit status 1 if one did not go as told.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const known = readdirSync(path.join(root, 'examples'))
  .filter((name) => existsSync(storyFile(name)))
  .sort();
const wanted = process.argv.length > 2 ? process.argv.slice(2) : known;

const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`examples: no story "${unknown.join('", "')}"; there are ${known.join(', ')}`);
  process.exit(2);
}
if (needsBuild() && !builds()) process.exit(1);
const failed = wanted.filter((name) => !succeeds(process.execPath, [storyFile(name)]));
if (failed.length > 0) console.error(`\nexamples: failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** @param {string} name */
function storyFile(name) {
  return path.join(root, 'examples', name, 'story.mjs');
}

function needsBuild() {
  const built = ['dist/cli.js', 'dist/library/index.js'].map((file) => path.join(root, file));
  if (!built.every((file) => existsSync(file))) return true;
  const builtAt = Math.min(...built.map((file) => statSync(file).mtimeMs));
  const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return sources.some((name) => statSync(path.join(root, 'src', name)).mtimeMs > builtAt);
}

/** Says nothing unless it fails: a story is not about the bundler. */
function builds() {
  const { status, stdout, stderr } = run('npm', ['run', '--silent', 'build'], 'pipe');
  if (status !== 0) process.stderr.write(Buffer.concat([stdout, stderr]));
  return status === 0;
}

/** @param {string} command @param {string[]} args */
function succeeds(command, args) {
  return run(command, args, 'inherit').status === 0;
}

/** @param {string} command @param {string[]} args @param {'inherit' | 'pipe'} stdio */
function run(command, args, stdio) {
  // npm is a script on Windows, which only a shell starts.
  const shell = process.platform === 'win32' && command === 'npm';
  return spawnSync(command, args, { cwd: root, stdio, shell });
}

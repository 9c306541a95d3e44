import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rewriteFile } from '../../../src/config/edit/rewrite-file.ts';

const WRITERS = 8;
const ROUNDS = 20;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsift-rewrite-'));
  file = join(folder, 'file');
});
afterEach(() => rm(folder, { recursive: true }));

/** Adds a line, as a writer that reads what is there. */
async function add(line: string): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => '');
  expect(before.includes(line)).toBe(false);
  const { readFileSync } = await import('node:fs');
  await rewriteFile(file, (target, exists) => `${exists ? readFileSync(target, 'utf8') : ''}${line}\n`);
}

const lines = async () => (await readFile(file, 'utf8')).trimEnd().split('\n').toSorted();

/** A process that is no more. */
function deadPid(): number {
  return spawnSync(process.execPath, ['--eval', '']).pid;
}

describe('a file that several write', () => {
  test.each([
    ['', undefined],
    ['half a fi', 0],
    [`{"pid":${deadPid()},"host":${JSON.stringify(hostname())},"id":"x"}`, undefined],
  ])('loses nothing, whatever lock was left behind: %j', async (lock, touchedAt) => {
    for (let round = 0; round < (touchedAt === undefined && lock === '' ? 1 : ROUNDS); round += 1) {
      await rm(file, { force: true });
      if (lock !== '') await writeFile(`${file}.lock`, lock);
      if (touchedAt !== undefined) await utimes(`${file}.lock`, touchedAt, touchedAt);
      const names = Array.from({ length: WRITERS }, (_, at) => `line ${round}-${at}`);
      await Promise.all(names.map(add));
      expect(await lines()).toEqual(names.toSorted());
    }
    expect(await readdir(folder)).toEqual(['file']);
  });

  test('is not waited for when its writer was killed', async () => {
    await writeFile(`${file}.lock`, `{"pid":${deadPid()},"host":${JSON.stringify(hostname())},"id":"y"}`);
    await writeFile(`${file}.y.new`, 'half of what it want');
    const begun = performance.now();
    await add('mine');
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(await readdir(folder)).toEqual(['file']);
  });

  test('is waited for while its writer lives, and given up with what to do', {
    timeout: 15_000,
  }, async () => {
    await writeFile(`${file}.lock`, JSON.stringify({ pid: process.pid, host: hostname(), id: 'z' }));
    await expect(add('mine')).rejects.toThrow(`${file}.lock says that another toolsift is writing`);
    await rm(`${file}.lock`);
  });
});

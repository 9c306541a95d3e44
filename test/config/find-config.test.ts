import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ConfigSearch, findConfig, findConfigToEdit } from '../../src/config/find-config.ts';

let cwd: string;
let xdg: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'toolsift-find-'));
  xdg = join(cwd, 'xdg');
  await mkdir(join(xdg, 'toolsift'), { recursive: true });
});
afterEach(() => rm(cwd, { recursive: true }));

const fileFor = async (search: ConfigSearch) => (await findConfig(search)).file;
const fileToEditFor = async (search: ConfigSearch) => (await findConfigToEdit(search)).file;
const touch = (...path: string[]) => writeFile(join(cwd, ...path), '{}');

describe('finding the file', () => {
  test.skipIf(process.platform !== 'linux')(
    'prefers flag, variable, working directory, user folder, in this order',
    async () => {
      const env = { XDG_CONFIG_HOME: xdg };
      await touch('xdg', 'toolsift', 'toolsift.json');
      expect(await fileFor({ env, cwd })).toBe(join(xdg, 'toolsift', 'toolsift.json'));
      await touch('toolsift.json');
      expect(await fileFor({ env, cwd })).toBe(join(cwd, 'toolsift.json'));
      await touch('by-variable.json');
      const named = { ...env, TOOLSIFT_CONFIG: 'by-variable.json' };
      expect(await fileFor({ env: named, cwd })).toBe(join(cwd, 'by-variable.json'));
      await touch('by-flag.json');
      expect(await fileFor({ flag: 'by-flag.json', env: named, cwd })).toBe(join(cwd, 'by-flag.json'));
    },
  );

  test.skipIf(process.platform !== 'linux')('says where it looked and how to begin', async () => {
    await expect(findConfig({ env: { XDG_CONFIG_HOME: xdg }, cwd })).rejects.toMatchObject({
      code: 'config_not_found',
      message: `no configuration file. Looked for --config, TOOLSIFT_CONFIG (neither is given), ${cwd}/toolsift.json, ${xdg}/toolsift/toolsift.json. Begin with: toolsift add-server <name> -- <command> [args…]`,
    });
  });

  test('tries nothing else in place of a file that is named', async () => {
    await touch('toolsift.json');
    const file = join(cwd, 'gone.json');
    await expect(findConfig({ flag: 'gone.json', env: {}, cwd })).rejects.toThrow(
      `no configuration file ${file} (named by --config)`,
    );
    await expect(findConfig({ env: { TOOLSIFT_CONFIG: file }, cwd })).rejects.toThrow(
      `${file} (named by TOOLSIFT_CONFIG)`,
    );
  });

  test('understands ~, which no shell has seen', async () => {
    expect(await fileToEditFor({ flag: '~/x.json', cwd })).toBe(join(homedir(), 'x.json'));
  });
});

describe('finding the file to edit', () => {
  test.skipIf(process.platform !== 'linux')('ends at the user folder when there is none yet', async () => {
    const env = { XDG_CONFIG_HOME: xdg };
    expect(await fileToEditFor({ env, cwd })).toBe(join(xdg, 'toolsift', 'toolsift.json'));
    await touch('toolsift.json');
    expect(await fileToEditFor({ env, cwd })).toBe(join(cwd, 'toolsift.json'));
  });
});

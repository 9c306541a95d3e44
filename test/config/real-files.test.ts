import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import {
  environment,
  expected,
  files,
  isThere,
  type Meaning,
  meaningOf,
  REAL_FILES,
} from '../helpers/real-configs.ts';
import { FILTERED_ELSEWHERE, KEPT_AS_TEXT, OTHERWISE, REFUSED } from './real-files-otherwise.ts';

const readable = files.filter(({ file }) => /\.jsonc?$/.test(file));

const scratch = mkdtempSync(path.join(tmpdir(), 'toolsift-real-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function load(file: string): Promise<Config> {
  const config = path.join(scratch, 'toolsift.json');
  writeFileSync(config, readFileSync(path.join(REAL_FILES, file)));
  return loadConfig({ flag: config, env: environment.set, cwd: scratch });
}

describe.skipIf(!isThere)('a file of another host, pasted as it is', () => {
  const pasted = readable.filter(({ file }) => !(file in REFUSED));
  const servers = pasted.flatMap(({ file, servers: read, ifTolerated = {} }) =>
    Object.entries({ ...ifTolerated, ...read }).map(
      ([name, meaning]) => [`${file}#${name}`, file, name, meaning] as const,
    ),
  );

  test('has been found, and its servers', () => {
    expect(readable.length).toBeGreaterThan(60);
    expect(servers.length).toBeGreaterThan(120);
  });

  test.each(servers.filter(([id]) => !(id in OTHERWISE)))(
    'means the same: %s',
    async (_, file, name, meaning) => {
      const config = (await load(file)).servers.get(name);
      expect(meaningOf(config)).toEqual(expected(meaning));
    },
  );

  test.each(servers.filter(([id]) => id in OTHERWISE))(
    'is read in our own way: %s',
    async (id, file, name) => {
      const config = (await load(file)).servers.get(name);
      expect(meaningOf(config)).toEqual(OTHERWISE[id]);
    },
  );

  const filtered = servers.filter(([id, , , { tools, disabled }]) => {
    return !disabled && filters(tools) && !FILTERED_ELSEWHERE.includes(id);
  });
  test.each(filtered)('is told what of its tool filters is lost: %s', async (_, file, name) => {
    const { warnings } = await load(file);
    expect(warnings).toContainEqual(
      expect.stringMatching(new RegExp(`^server "${name}": "\\w+" is ignored: toolsift offers every tool`)),
    );
  });

  test.each(KEPT_AS_TEXT)('is told what is no variable here: %s, %s', async (file, warning) => {
    expect((await load(file)).warnings).toContainEqual(expect.stringContaining(warning));
  });

  test.each(Object.entries(REFUSED))('is refused with the reason: %s', async (file, reason) => {
    await expect(load(file)).rejects.toThrow(reason);
  });
});

function filters(tools: Meaning['tools']): boolean {
  const { allow, deny = [] } = tools ?? {};
  return (allow !== undefined && allow.join() !== '*') || deny.length > 0;
}

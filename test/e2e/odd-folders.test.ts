import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { userHome } from './user-home.ts';

describe('the working directory', () => {
  it.each<[string, Record<string, string>]>([
    [
      'the folders of the environment are relative',
      {
        XDG_CONFIG_HOME: 'config',
        XDG_CACHE_HOME: 'cache',
        XDG_DATA_HOME: './data',
        XDG_STATE_HOME: '../strange',
        XDG_RUNTIME_DIR: 'run',
      },
    ],
    ['the folder for what is short-lived is relative', { TMPDIR: 'tmp', XDG_RUNTIME_DIR: '' }],
  ])('stays as it is where %s', async (_, odd) => {
    const home = userHome({ it: { ...fixture('says-on-stderr'), log: true } });
    const elsewhere = join(home.folder, 'elsewhere');
    mkdirSync(elsewhere);
    Object.assign(home.env, odd);
    expect((await home.runIn(elsewhere, 'refresh')).code).toBe(0);
    expect((await home.runIn(elsewhere, 'restart', 'it')).code).toBe(0);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readdirSync(home.folder)).not.toContain('strange');
  });
});

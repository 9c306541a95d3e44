import { spawnSync } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const FOLDERS = fileURLToPath(new URL('../src/platform-folders.ts', import.meta.url));
const XDG = ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'];

/** The home folder is read when a module is loaded, so each environment gets a process of its own. */
function foldersWith(env: Record<string, string>): Record<string, string> {
  const script = `import { build } from 'rolldown';
    const { output } = await build({ input: ${JSON.stringify(FOLDERS)}, write: false, platform: 'node', logLevel: 'silent' });
    const code = output[0].code + '\\nconsole.log(JSON.stringify(platformFolders()));';
    process.env.HOME = ${JSON.stringify(env.HOME ?? '/home/me')};
    await import('data:text/javascript,' + encodeURIComponent(code));`;
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !XDG.includes(name)));
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...clean, ...env, HOME: '/home/me' },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describe.runIf(process.platform === 'linux')('the folders of the platform', () => {
  it('are where the environment says', () => {
    expect(foldersWith({ XDG_CACHE_HOME: '/c', HOME: '/h' })).toEqual({
      config: '/h/.config/toolsift',
      cache: '/c/toolsift',
      data: '/h/.local/share/toolsift',
      log: '/h/.local/state/toolsift',
    });
  });

  it('are where they are by default where the environment says something relative', () => {
    const odd = Object.fromEntries(XDG.map((name) => [name, 'relative/x']));
    expect(foldersWith({ ...odd, HOME: '/h' })).toEqual(foldersWith({ HOME: '/h' }));
  });

  it.each(['', 'relative'])('are absolute with the HOME %j', (home) => {
    const folders = foldersWith({ HOME: home });
    expect(Object.values(folders).every((folder) => isAbsolute(folder))).toBe(true);
    expect(folders.cache).toMatch(new RegExp(`${join('.cache', 'toolsift')}$`));
  });
});

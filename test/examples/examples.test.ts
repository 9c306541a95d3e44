import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
const STORY_TIMEOUT_MS = 90_000;

const stories = readdirSync(EXAMPLES).filter((name) => existsSync(path.join(EXAMPLES, name, 'story.mjs')));

let home: string;
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'toolsift-examples-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('examples', () => {
  test.each(stories)('%s goes as told', { timeout: STORY_TIMEOUT_MS }, async (story) => {
    const { exitCode, output } = await run(story);
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output: expect.stringContaining('All steps went as told.'),
    });
  });

  test('the quickstart goes as told again, with what the first session left in the cache', {
    timeout: STORY_TIMEOUT_MS,
  }, async () => {
    const { exitCode, output } = await run('quickstart');
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });

  test('README.md tells of every story', () => {
    const readme = readFileSync(path.join(EXAMPLES, 'README.md'), 'utf8');
    for (const story of stories) expect(readme).toContain(`(${story}/story.mjs)`);
  });
});

/** Runs a story with user folders of its own, so that it neither reads nor writes the caches of whoever runs it. */
function run(story: string): Promise<{ exitCode: number | string; output: string }> {
  const folders = {
    HOME: home,
    XDG_CACHE_HOME: home,
    XDG_CONFIG_HOME: home,
    LOCALAPPDATA: home,
    APPDATA: home,
  };
  const options = { env: { ...process.env, ...folders, NO_COLOR: '1' }, timeout: STORY_TIMEOUT_MS };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(EXAMPLES, story, 'story.mjs')],
      options,
      (error, stdout, stderr) => {
        resolve({ exitCode: error === null ? 0 : (error.code ?? 'killed'), output: stdout + stderr });
      },
    );
  });
}

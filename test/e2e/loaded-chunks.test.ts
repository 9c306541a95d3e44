import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { type UserHome, userHome } from './user-home.ts';

/** What only a check of the configuration needs, by a word that stands in its code. */
const CHECKING = { zod: 'ZodMiniType', 'the parser for comments': 'ColonExpected' };

test('a session whose configuration was found valid before loads nothing to check it', async () => {
  const home = userHome({ echo: fixture('echo') });
  expect(await loadedBy(home), 'the first session').toEqual(['zod']);
  expect(await loadedBy(home), 'the second session').toEqual([]);
});

test('an edit is checked once', async () => {
  const home = userHome({ echo: fixture('echo') });
  await loadedBy(home);
  home.write({ echo: fixture('echo') }, { topK: 3 });
  expect(await loadedBy(home)).toEqual(['zod']);
  expect(await loadedBy(home)).toEqual([]);
});

/** What a session loads of that. */
async function loadedBy(home: UserHome): Promise<string[]> {
  const coverage = mkdtempSync(join(tmpdir(), 'toolsift-loaded-'));
  onTestFinished(() => rmSync(coverage, { recursive: true, force: true }));
  const session = await home.session({ env: { NODE_V8_COVERAGE: coverage } });
  await session.client.close();
  const reports = readdirSync(coverage).map((file) => readFileSync(join(coverage, file), 'utf8'));
  const urls = reports.flatMap((report) => [...report.matchAll(/"url":"(file:[^"]*\/dist\/[^"]+)"/g)]);
  expect(urls.length).toBeGreaterThan(3);
  const loaded = urls.map(([, url = '']) => readFileSync(fileURLToPath(url), 'utf8'));
  return Object.entries(CHECKING).flatMap(([what, word]) =>
    loaded.some((code) => code.includes(word)) ? [what] : [],
  );
}

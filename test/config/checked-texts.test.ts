// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are the subject
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type KnownTexts, loadConfig } from '../../src/config/load-config.ts';

function setUp() {
  const cwd = mkdtempSync(join(tmpdir(), 'toolsift-checked-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const valid = new Set<string>();
  const checked: KnownTexts = {
    has: (file, text) => valid.has(`${file} ${text}`),
    add: (file, text) => valid.add(`${file} ${text}`),
  };
  const load = (content: object, env = {}) => {
    writeFileSync(join(cwd, 'toolsift.json'), JSON.stringify(content));
    return loadConfig({ cwd, env, checked });
  };
  return { valid, load };
}

describe('a text that was found valid before', () => {
  test('says the same as when it was checked, with the variables of now', async () => {
    const { valid, load } = setUp();
    const content = {
      topK: 7,
      share: true,
      servers: {
        a: { cmd: 'x', envs: { K: '${K:-}' }, tool_timeout_sec: 3, nonsense: 1 },
        b: { url: 'https://x', enabled: false },
        c: { comand: 'x' },
        d: { command: '${NONE}' },
      },
    };
    const first = await load(content);
    expect(valid.size).toBe(1);
    expect(await load(content)).toEqual(first);
    const { servers } = await load(content, { K: 'now' });
    expect(servers.get('a')).toMatchObject({ env: { K: 'now' } });
  });

  test.each([
    ['an entry has a value of a wrong shape', { servers: { a: { command: 'x', args: 'y' } } }],
    ['an entry that is switched off has one', { servers: { a: { disabled: true, args: 'y' } } }],
  ])('is none where %s', async (_, content) => {
    const { valid, load } = setUp();
    const { servers } = await load(content);
    expect(valid.size).toBe(0);
    expect(await load(content)).toMatchObject({ servers });
  });

  test('is none where the file has a problem, which is told every time', async () => {
    const { valid, load } = setUp();
    for (let turn = 0; turn < 2; turn += 1) await expect(load({ topK: 0 })).rejects.toThrow('"topK" must be');
    expect(valid.size).toBe(0);
  });
});

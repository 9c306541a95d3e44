import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkedTexts, trustedTexts } from '../../src/proxy/known-texts.ts';

function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'toolsift-checked-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const folders = { cache: join(folder, 'cache'), data: join(folder, 'data') };
  return { folders, open: (version = '1') => checkedTexts(folders, version) };
}

describe('what is trusted', () => {
  test('stays so with a later version, and is not what was only checked', () => {
    const { folders, open } = setUp();
    open().add('/a/toolsift.json', '{}');
    expect(trustedTexts(folders).has('/a/toolsift.json', '{}')).toBe(false);
    trustedTexts(folders).add('/a/toolsift.json', '{}');
    expect(trustedTexts(folders).has('/a/toolsift.json', '{}')).toBe(true);
    expect(trustedTexts(folders).has('/a/toolsift.json', '{ }')).toBe(false);
  });
});

describe('what was checked', () => {
  test('is known to later processes of the same version, for the same text of the same file', () => {
    const { open } = setUp();
    open().add('/a/toolsift.json', '{}');
    expect(open().has('/a/toolsift.json', '{}')).toBe(true);
    expect(open().has('/a/toolsift.json', '{ }')).toBe(false);
    expect(open().has('/b/toolsift.json', '{}')).toBe(false);
    expect(open('2').has('/a/toolsift.json', '{}')).toBe(false);
  });

  test('takes one small file for each configuration, which tells nothing of it', () => {
    const { folders, open } = setUp();
    open().add('/a/toolsift.json', '{"servers": {"hunter2": {}}}');
    open().add('/a/toolsift.json', '{"servers": {"hunter3": {}}}');
    const [file = '', ...others] = readdirSync(folders.cache);
    expect(others).toEqual([]);
    expect(readFileSync(join(folders.cache, file), 'utf8')).toMatch(/^[0-9a-f]{24}$/);
  });

  test('is nothing where the stamp is damaged, or cannot be kept', () => {
    const { folders, open } = setUp();
    open().add('/a/toolsift.json', '{}');
    const [file = ''] = readdirSync(folders.cache);
    writeFileSync(join(folders.cache, file), '');
    expect(open().has('/a/toolsift.json', '{}')).toBe(false);
    rmSync(join(folders.cache, file));
    rmSync(folders.cache, { recursive: true });
    writeFileSync(folders.cache, 'no folder');
    open().add('/a/toolsift.json', '{}');
    expect(open().has('/a/toolsift.json', '{}')).toBe(false);
  });
});

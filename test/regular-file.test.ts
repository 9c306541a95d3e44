import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isWritableAtOnce, readRegularFile } from '../src/regular-file.ts';

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolsift-regular-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'file');
}

describe('reading a regular file', () => {
  test('gives its bytes, through symbolic links too', () => {
    const file = place();
    writeFileSync(file, 'text');
    symlinkSync(file, `${file}-link`);
    expect(readRegularFile(`${file}-link`, 4).toString()).toBe('text');
  });

  test('tells what is too long', () => {
    const file = place();
    writeFileSync(file, 'text');
    expect(() => readRegularFile(file, 3)).toThrow('it is longer than 3 bytes');
  });

  test('tells of a folder, and of what is not there', () => {
    const file = place();
    expect(() => readRegularFile(file, 9)).toThrow('ENOENT');
    mkdirSync(file);
    expect(() => readRegularFile(file, 9)).toThrow('it is a folder');
  });

  test.skipIf(process.platform === 'win32')('waits for no pipe and reads no device', () => {
    const file = place();
    execFileSync('mkfifo', [file]);
    expect(() => readRegularFile(file, 9)).toThrow('it is no regular file');
    expect(() => readRegularFile('/dev/zero', 9)).toThrow('it is no regular file');
    expect(isWritableAtOnce(file)).toBe(false);
    expect(isWritableAtOnce(`${file}-none`)).toBe(true);
  });
});

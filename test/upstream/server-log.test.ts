import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Redactor } from '../../src/upstream/secrets/redactor.ts';
import { logFileOf, ServerLog } from '../../src/upstream/server-log.ts';

const MEGABYTE = 1024 * 1024;

const NOTHING_SECRET = new Redactor([]);

function open(server = 'git', redactor = NOTHING_SECRET) {
  const root = mkdtempSync(join(tmpdir(), 'toolsift-log-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'logs');
  const file = logFileOf(folder, server);
  const read = (path = file) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
  return { root, folder, file, read, log: new ServerLog(folder, server, redactor) };
}

const bytes = (letter: string, length: number) => Buffer.alloc(length, letter);

describe('ServerLog', () => {
  it('keeps what is written, as UTF-8, for the user alone', () => {
    const { log, read, file, folder } = open();
    expect(existsSync(folder)).toBe(false);
    log.write(Buffer.from('one\nö'));
    for (const byte of Buffer.from('ö\n')) log.write(Buffer.of(byte));
    expect(read()).toBe('one\nöö\n');
    log.write(Buffer.of(0xff, 0x0a));
    expect(read()).toBe('one\nöö\n\ufffd\n');
    expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('goes on where an earlier start of the server ended', () => {
    const { log, read, folder } = open();
    log.write(Buffer.from('first\n'));
    new ServerLog(folder, 'git', NOTHING_SECRET).write(Buffer.from('second\n'));
    expect(read()).toBe('first\nsecond\n');
  });

  it('begins anew when it has grown long, and keeps one older part', () => {
    const { log, read, file } = open();
    log.write(bytes('a', MEGABYTE + 1));
    log.write(bytes('b', MEGABYTE + 1));
    log.write(Buffer.from('c'));
    expect(read()).toBe('c');
    expect(read(`${file}.1`)).toBe('b'.repeat(MEGABYTE + 1));
    expect(existsSync(`${file}.2`)).toBe(false);
  });

  it('counts what was there before it', () => {
    const { folder, read, file, log } = open();
    log.write(bytes('a', MEGABYTE + 1));
    new ServerLog(folder, 'git', NOTHING_SECRET).write(Buffer.from('b'));
    expect([read()?.length, read(`${file}.1`)?.length]).toEqual([1, MEGABYTE + 1]);
  });

  it('stays within its bounds when a server runs twice', () => {
    const { folder, file, log } = open();
    const other = new ServerLog(folder, 'git', NOTHING_SECRET);
    for (let turn = 0; turn < 12; turn++)
      for (const each of [log, other]) each.write(bytes('x', MEGABYTE / 2));
    expect(statSync(file).size).toBeLessThanOrEqual(3 * MEGABYTE);
    expect(statSync(`${file}.1`).size).toBeLessThanOrEqual(3 * MEGABYTE);
  });

  it('stops nothing when it cannot be written', () => {
    const { root } = open();
    writeFileSync(join(root, 'file'), '');
    const log = new ServerLog(join(root, 'file', 'logs'), 'git', NOTHING_SECRET);
    expect(() => log.write(Buffer.from('x'))).not.toThrow();
  });

  it('goes on when its file was removed meanwhile', () => {
    const { log, read, file } = open();
    log.write(bytes('a', MEGABYTE + 1));
    rmSync(file);
    log.write(Buffer.from('b'));
    log.write(Buffer.from('c'));
    expect(read()).toBe('bc');
  });
});

describe('names of log files', () => {
  it.each(['../../etc/passwd', 'a b', 'ä/ö', 'x'.repeat(300), 'C:\\x', 'nul\0'])(
    'fit for server %j',
    (name) => {
      const file = logFileOf('/logs', name);
      expect(file.startsWith('/logs/')).toBe(true);
      expect(basename(file)).toMatch(/^[a-zA-Z0-9_.%-]+$/);
    },
  );

  it('are short enough for any file system', () => {
    expect(basename(logFileOf('/logs', 'x'.repeat(300))).length).toBeLessThanOrEqual(250);
  });

  it('differ where names of servers do', () => {
    const names = ['a b', 'a_b', 'a.b', '天気', '地図'];
    expect(new Set(names.map((name) => logFileOf('/logs', name))).size).toBe(names.length);
  });

  it('is readable where a program writes UTF-16', () => {
    const { log, read } = open();
    log.write(Buffer.from('\ufeffcaf\u00e9 is closed\n', 'utf16le'));
    log.write(Buffer.from('and again\n', 'utf16le'));
    log.write(Buffer.from('then UTF-8\n'));
    expect(read()?.replace('\ufeff', '')).toBe('caf\u00e9 is closed\nand again\nthen UTF-8\n');
  });

  it('holds no secret, wherever what is written is cut in two', () => {
    const secret = 'p@ss/word-Zm9vYmFy1';
    const spelled = [
      secret,
      encodeURIComponent(secret),
      `p@ss\u001b[31m/word-Zm9vYmFy1`,
      `p@ss/wo\nrd-Zm9vYmFy1`,
    ];
    for (const text of spelled) {
      for (let at = 1; at < text.length; at++) {
        const { log, read } = open('git', new Redactor([{ value: secret, isStrong: true }]));
        log.write(Buffer.from(`with ${text.slice(0, at)}`));
        log.write(Buffer.from(`${text.slice(at)} it fails\n`));
        log.close();
        expect(read()).toBe('with *** it fails\n');
      }
    }
  });

  it('shows at once what cannot be a part of a secret, and the rest when nothing follows', () => {
    const { log, read } = open('git', new Redactor([{ value: 'correct horse', isStrong: false }]));
    log.write(Buffer.from('ready\n'));
    expect(read()).toBe('ready\n');
    log.write(Buffer.from('all is corr'));
    expect(read()).toBe('ready\nall is ');
    log.close();
    expect(read()).toBe('ready\nall is ***');
  });
});

import { describe, expect, it, vi } from 'vitest';
import { MAX_LOG_LENGTH } from '../src/foreign-text.ts';
import { createLogger, LOG_LEVELS, type LogLevel } from '../src/log.ts';

function written(level?: LogLevel): string[] {
  const lines: string[] = [];
  const log = createLogger(level, (line) => lines.push(line));
  log.debug('d');
  log.info('i');
  log.warn('w');
  log.error('e');
  return lines;
}

const ALL = ['toolsift: debug: d', 'toolsift: i', 'toolsift: warn: w', 'toolsift: error: e'];

describe('the logger', () => {
  it.each(LOG_LEVELS.map((level, index) => [level, index] as const))(
    'at %s drops what is below',
    (level, index) => {
      expect(written(level)).toEqual(ALL.slice(index));
    },
  );

  it('drops debug lines by default', () => {
    expect(written()).toEqual(ALL.slice(1));
  });

  it('writes to stderr by default and never to stdout', () => {
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    createLogger().warn('here');
    const calls = [stderr.mock.calls.map(([text]) => text), stdout.mock.calls.length];
    vi.restoreAllMocks();
    expect(calls).toEqual([['toolsift: warn: here\n'], 0]);
  });
});

describe('a message of the log', () => {
  function writtenOf(message: string): string {
    let line = '';
    createLogger('info', (text) => {
      line += text;
    }).warn(message);
    return line;
  }

  it('is harmless to terminals', () => {
    expect(writtenOf('\u001b]0;title\u0007\u001b[2Ja\rb')).toBe('toolsift: warn: a\n    b');
  });

  it('cannot look like two', () => {
    expect(writtenOf('it failed\ntoolsift: all is well\n  at x')).toBe(
      'toolsift: warn: it failed\n    toolsift: all is well\n  at x',
    );
  });

  it('stays within its budget', () => {
    expect(writtenOf('x'.repeat(3_000_000)).length).toBeLessThan(MAX_LOG_LENGTH + 30);
  });
});

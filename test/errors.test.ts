import { describe, expect, it } from 'vitest';
import { errorText, ToolsiftError } from '../src/errors.ts';

describe('ToolsiftError', () => {
  it('carries its code, its facts and what caused it', () => {
    const cause = new Error('ENOENT');
    const error = new ToolsiftError('upstream_exited', 'is gone', {
      cause,
      facts: { server: 'a', exitCode: 3 },
    });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'ToolsiftError',
      code: 'upstream_exited',
      message: 'is gone',
      cause,
      facts: { server: 'a', exitCode: 3 },
    });
  });

  it('has no cause and no facts unless they are given', () => {
    const error = new ToolsiftError('usage', 'no');
    expect(error.facts).toEqual({});
    expect('cause' in error).toBe(false);
  });
});

describe('errorText', () => {
  it('is the message of an error, on one line', () => {
    expect(errorText(new Error('  first\n  second\t third '))).toBe('first second third');
  });

  it.each([
    ['a string', 'a string'],
    [undefined, 'undefined'],
    [null, 'null'],
    [7, '7'],
  ])('is the text of anything else that was thrown: %j', (thrown, text) => {
    expect(errorText(thrown)).toBe(text);
  });
});

import { describe, expect, it } from 'vitest';
import { fixFor } from '../../src/downstream/state-fix.ts';

const fix = (state: string, more: { name?: string; reason?: string; hasTools?: boolean } = {}) => {
  const { name = 'git', reason, hasTools = false } = more;
  return fixFor({ name, status: { state, ...(reason === undefined ? {} : { reason }) }, hasTools });
};

describe('what to do about a server', () => {
  it.each([
    ['failed', 'restart'],
    ['needs_login', 'login'],
  ])('that is %s names it', (state, command) => {
    expect(fix(state)).toMatch(new RegExp(`run: toolsift ${command} git\\b`));
  });

  it.each(['failed', 'backoff', 'needs_login'])(
    'that is %s speaks of its tools only where some are known',
    (state) => {
      expect(fix(state)).not.toMatch(/one of its tools|next use/);
    },
  );

  it('that has failed can be to invoke one of its tools', () => {
    expect(fix('failed', { hasTools: true })).toMatch(/invoke one of its tools/);
  });

  it('can be pasted into a shell, whatever its name', () => {
    expect(fix('failed', { name: 'my "git" it\'s' })).toMatch(/toolsift restart 'my "git" it'\\''s'$/);
    expect(fix('failed', { name: '@acme/git.v2' })).toMatch(/toolsift restart @acme\/git\.v2$/);
  });

  it('is nothing where all is well', () => {
    expect([fix('ready'), fix('idle')]).toEqual([undefined, undefined]);
    expect(fix('ready', { reason: 'answered tools/list with error -1: no' })).toMatch(
      /asked again by itself/,
    );
  });
});

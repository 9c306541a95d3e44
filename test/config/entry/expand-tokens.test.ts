import { describe, expect, it } from 'vitest';
import { expandTokens } from '../../../src/config/entry/expand-tokens.ts';

const failure = (tokens: Record<string, string>, env = {}) => {
  try {
    expandTokens(tokens, env);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('expandTokens', () => {
  it('fills in variables', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as written in the file
    expect([...expandTokens({ ci: '${TOKEN}', bob: 'a-${TOKEN}' }, { TOKEN: 'x' })]).toEqual([
      ['ci', 'x'],
      ['bob', 'a-x'],
    ]);
  });

  it('lets nobody in by a variable that is not set, an empty one, or the token of another, and names none', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as written in the file
    const written = { ci: '${TOKEN}' };
    expect(failure(written)).toMatch(/^variable TOKEN in "auth.tokens.ci" is not set/);
    expect(failure(written, { TOKEN: '' })).toMatch(/^"auth.tokens.ci" must be a token of visible ASCII/);
    expect(failure(written, { TOKEN: 'se cret' })).not.toContain('cret');
    expect(failure({ ci: 'secret', bob: 'secret' })).toBe(
      '"auth.tokens.bob" is the token of "ci" too; each needs its own',
    );
  });
});

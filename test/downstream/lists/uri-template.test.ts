import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesTemplate } from '../../../src/downstream/lists/uri-template.ts';

describe('matchesTemplate', () => {
  it.each([
    ['file:///{path}', 'file:///a.txt', true],
    ['file:///{path}', 'file:///a/b.txt', false],
    ['file:///{+path}', 'file:///a/b.txt', true],
    ['file:///{path*}', 'file:///a/b.txt', true],
    ['db://{table}/{id}', 'db://users/7', true],
    ['db://{table}/{id}', 'db://users', false],
    ['db://{table}{/id}', 'db://users', true],
    ['db://{table}{/id}', 'db://users/7', true],
    ['db://{table}{?limit,offset}', 'db://users?limit=1&offset=2', true],
    ['db://{table}{?limit}', 'db://users', true],
    ['db://{table}{#part}', 'db://users#x', true],
    ['a.b+c://{x}', 'aXb+c://1', false],
    ['a.b+c://{x}', 'a.b+c://1', true],
    ['plain://x', 'plain://x', true],
    ['plain://x', 'plain://xy', false],
    ['{x}', '', false],
  ])('%s and %s: %s', (template, uri, matches) => {
    expect(matchesTemplate(template, uri)).toBe(matches);
  });

  it('matches every URI made from a template with simple variables', () => {
    const value = fc.stringMatching(/^[\w.~%-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) => {
        const template = `x://${values.map((_, index) => `{v${index}}`).join('/')}`;
        expect(matchesTemplate(template, `x://${values.join('/')}`)).toBe(true);
      }),
    );
  });

  it('never throws, whatever a server calls a template', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 20 }),
        fc.constantFrom('{', '}', '{}', '{+', '{?a}', '[', '('),
        (text, odd) => {
          expect(typeof matchesTemplate(text + odd + text, text)).toBe('boolean');
        },
      ),
      { numRuns: 500 },
    );
  });
});

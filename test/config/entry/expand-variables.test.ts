// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are the subject
import { homedir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandVariables, missingVariable } from '../../../src/config/entry/expand-variables.ts';

const env = { TOKEN: 's3cret', EMPTY: '', A: '${TOKEN}', 'ProgramFiles(x86)': 'C:\\P' };
const expand = (text: string) => expandVariables(text, env);

describe('expanding variables', () => {
  test.each([
    ['${TOKEN}', 's3cret'],
    ['--key=${TOKEN}/x${TOKEN}', '--key=s3cret/xs3cret'],
    ['${env:TOKEN}', 's3cret'],
    ['{env:TOKEN}', 's3cret'],
    ['$${TOKEN}', '$s3cret'],
    ['${UNSET:-default}', 'default'],
    ['${UNSET:-}', ''],
    ['${UNSET:-http://x:1}', 'http://x:1'],
    ['${env:UNSET:-d}', 'd'],
    ['${TOKEN:-default}', 's3cret'],
    ['${EMPTY:-default}', ''],
    ['${ProgramFiles(x86)}', 'C:\\P'],
    ['${userHome}/x', `${homedir()}/x`],
  ])('makes %j into %j', (text, expected) => {
    expect(expand(text)).toEqual({ text: expected, missing: [] });
  });

  test.each([
    '$TOKEN',
    'cost $5 {x}',
    '${TOKEN:+x}',
    '${TOKEN-x}',
    '${}',
    '${1}',
    '${a b}',
    '%TOKEN%',
    '{TOKEN}',
    '${TOKEN',
  ])('leaves %j as it is', (text) => {
    expect(expand(text)).toEqual({ text, missing: [] });
  });

  test('does not expand values and defaults again', () => {
    expect(expand('${A}').text).toBe('${TOKEN}');
    expect(expand('${UNSET:-$}{TOKEN}').text).toBe('${TOKEN}');
  });

  test('names what is missing, once for each place, and leaves it as written', () => {
    expect(expand('${X} {env:Y} ${env:X} ${input:key}')).toEqual({
      text: '${X} {env:Y} ${env:X} ${input:key}',
      missing: ['X', 'Y', 'X', 'input:key'],
    });
  });

  test('takes nothing from the prototype of the environment', () => {
    expect(expandVariables('${constructor}${__proto__}', process.env).missing).toEqual([
      'constructor',
      '__proto__',
    ]);
  });

  test('changes nothing in text without references, whatever it is', () => {
    const text = fc.string({ unit: 'binary' }).filter((any) => !/\$\{|\{env:/.test(any));
    fc.assert(fc.property(text, (any) => expand(any).text === any));
  });

  test('gives any value exactly, whatever stands around it', () => {
    const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/).filter((any) => any !== 'userHome');
    const value = fc.string({ unit: 'grapheme' });
    const around = fc.string().filter((any) => !/[${}]/.test(any));
    const form = fc.constantFrom('${N}', '${env:N}', '{env:N}', '${N:-fallback}');
    fc.assert(
      fc.property(name, value, around, around, form, (key, set, before, after, reference) => {
        const text = before + reference.replace('N', key) + after;
        expect(expandVariables(text, { [key]: set })).toEqual({ text: before + set + after, missing: [] });
      }),
    );
  });
});

describe('the message about a missing variable', () => {
  test('names the variable, the key and what to do', () => {
    expect(missingVariable('TOKEN', 'env.KEY')).toBe(
      'variable TOKEN in "env.KEY" is not set where toolsift runs; agents hand on few variables: name it in the agent\'s entry for toolsift ("env"; in Codex "env_vars"), or give a default: ${TOKEN:-default}',
    );
  });

  test('explains the placeholders of editors', () => {
    expect(missingVariable('input:key', 'env.KEY')).toMatch(/asks VS Code for a value/);
    expect(missingVariable('workspaceFolder', 'args[0]')).toMatch(/knows no workspace/);
  });
});

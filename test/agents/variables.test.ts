// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are the subject
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inOurForm, type VariableForm } from '../../src/agents/variables.ts';
import { expandVariables } from '../../src/config/entry/expand-variables.ts';

const env = { A: 'a', B: 'b' };
const run = (text: string, ...forms: VariableForm[]) => expandVariables(inOurForm(text, forms), env).text;

describe('a text of an agent', () => {
  test.each<[string, VariableForm[], string]>([
    ['${A} ${A:-x} ${C:-x} $A', ['braces', 'defaults'], 'a a x $A'],
    ['${A} ${env:A} {env:A}', ['env'], '${A} a {env:A}'],
    ['{env:A} {env:C} ${env:A} ${A}', ['bare-env'], 'a  $a ${A}'],
    ['$A ${B} pre$A-post $5', ['dollar', 'braces'], 'a b prea-post $5'],
    ['${{ secrets.A }} ${A}', ['secrets'], 'a ${A}'],
    ['${input:x} ${A:-b} ${workspaceFolder}', [], '${input:x} ${A:-b} ${workspaceFolder}'],
  ])('%j, of which it fills in %j, becomes %j', (text, forms, expected) => {
    expect(run(text, ...forms)).toBe(expected);
  });

  test('of which it fills in nothing stays as it is, whatever it is', () => {
    const piece = fc.constantFrom('${', '}', '{env:', '$', 'A', ':-', 'input:', '{', ' ', 'file:');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        fc.pre(!/\$\{file:/.test(text));
        expect(run(text)).toBe(text);
      }),
    );
  });
});

import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from '../../../src/upstream/secrets/redactor.ts';

const ESC = '\u001b';

/** How programs come to write what they were given. */
const SPELLINGS: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'with white space folded': (secret) => secret.replace(/\s+/g, ' ').trim(),
  'in JSON': (secret) => JSON.stringify({ key: secret }),
  'in JSON within JSON': (secret) => JSON.stringify(JSON.stringify({ key: secret })),
  inspected: (secret) => inspect({ key: secret, more: secret }, { breakLength: 20 }),
  'as a part of a URL': (secret) => `https://h/${encodeURIComponent(secret)}?x=1`,
  'as a part of a form': (secret) => new URLSearchParams({ key: secret }).toString(),
  'percent-encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'in base64': (secret) => Buffer.from(secret).toString('base64'),
  'in base64url behind a user': (secret) => Buffer.from(`u:${secret}`).toString('base64url'),
  'in base64 behind and before others': (secret) => Buffer.from(`xy${secret}=z`).toString('base64'),
  'in base64 in lines': (secret) =>
    Buffer.from(`x${secret}`)
      .toString('base64')
      .replace(/.{5}/g, (piece) => `${piece}\r\n`),
  'in hexadecimal': (secret) => Buffer.from(secret).toString('hex'),
  'as bytes in hexadecimal': (secret) => inspect(Buffer.from(secret)).replace('<Buffer ', ''),
  'as bytes in JSON': (secret) => JSON.stringify(Buffer.from(secret)),
  'in capitals': (secret) => secret.toUpperCase(),
  'with colours inside': (secret) => `${ESC}[31m${secret.slice(0, 3)}${ESC}[0m${secret.slice(3)}`,
  'with a title inside': (secret) => `${secret.slice(0, 4)}${ESC}]0;x\u0007${secret.slice(4)}`,
  'with characters without width inside': (secret) => [...secret].join('\u200b'),
  'in lines': (secret) => secret.replace(/.{4}/gs, (piece) => `${piece}\n  `),
  'in HTML': (secret) => secret.replace(/[<>&"'/]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`),
  'as a program in Python writes it': (secret) =>
    secret.replace(/[^\x20-\x5b\x5d-\x7e]/g, (sign) =>
      [...Buffer.from(sign)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
    ),
};

/** Credentials as they are made: mostly letters and digits, with signs, blanks and line breaks among them. */
const credential = fc
  .array(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ23456789'),
      },
      { weight: 2, arbitrary: fc.constantFrom(...'-_.+/=@:%&?#!$"\'\\ \n{}<>é') },
    ),
    { minLength: 9, maxLength: 60 },
  )
  .map((characters) => characters.join(''))
  .filter((text) => text === text.trim() && text.replace(/[^a-zA-Z0-9]/g, '').length >= 7);

const around = fc.constantFrom('', 'error: ', 'bad key (', ' at https://h/x?y=', '\n  ');

describe('a secret', () => {
  it.each(Object.entries(SPELLINGS))('is hidden %s', (_, spell) => {
    fc.assert(
      fc.property(credential, around, around, (secret, before, after) => {
        const spelled = spell(secret);
        const shown = new Redactor([{ value: secret, isStrong: true }]).hide(before + spelled + after);
        expect(shown).not.toContain(secret);
        // What is left of the spelling is at most a few characters at its edges.
        for (let at = 0; at + 12 <= spelled.length; at++) {
          const piece = spelled.slice(at, at + 12);
          if (/^[\w+/-]{12}$/.test(piece) && !(before + after).includes(piece))
            expect(shown).not.toContain(piece);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('that others have cut is hidden in its parts, where the parts are of note', () => {
    const secret = 'sk-live-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5';
    const redactor = new Redactor([{ value: secret, isStrong: true }]);
    expect(redactor.hide(`key ${secret.slice(0, 20)}… is not valid`)).toBe('key ***… is not valid');
  });

  it('that was cut at the end or the beginning of a text is hidden there', () => {
    const redactor = new Redactor([{ value: 'correct horse battery', isStrong: false }]);
    expect(redactor.hide('it is correct ho', { isCutAfter: true })).toBe('it is ***');
    expect(redactor.hide('battery is wrong', { isCutBefore: true })).toBe('*** is wrong');
    expect(redactor.hide('battery is wrong')).toBe('battery is wrong');
  });

  it('leaves what is not one as it was', () => {
    const redactor = new Redactor([{ value: 'abc', isStrong: true }]);
    expect(redactor.hide('a b c, cab c, 100 %20 \\n &amp;')).toBe('a b c, cab c, 100 %20 \\n &amp;');
  });
});

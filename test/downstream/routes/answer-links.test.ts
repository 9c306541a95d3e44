import { describe, expect, it } from 'vitest';
import { linkedUris } from '../../../src/downstream/routes/answer-links.ts';
import { responseFrame } from '../../jsonrpc/messages.ts';

const uris = (result: string) => linkedUris(responseFrame(`{"jsonrpc":"2.0","id":1,"result":${result}}`));

describe('linkedUris', () => {
  it('finds the resources that a result links to or embeds', () => {
    const content = [
      { type: 'resource_link', uri: 'a:1' },
      { type: 'resource', resource: { uri: 'a:2', text: 'x' } },
      { type: 'text', text: 'a:3' },
    ];
    expect(uris(JSON.stringify({ content }))).toEqual(['a:1', 'a:2']);
  });

  it.each([
    '{"content":null,"x":"resource"}',
    '{"content":[null,7,[],{"type":"resource"},{"type":"resource","resource":null},{"type":"resource_link","uri":7}]}',
    '["resource"]',
    '{"x":[{"type":"resource_link","uri":"a:1"}]}',
  ])('finds none in %s', (result) => {
    expect(uris(result)).toEqual([]);
  });

  it('finds none in an error, and does not search what is very large', () => {
    const error = responseFrame(
      '{"jsonrpc":"2.0","id":1,"error":{"content":[{"type":"resource_link","uri":"a:1"}]}}',
    );
    expect(linkedUris(error)).toEqual([]);
    const content = [
      { type: 'resource_link', uri: 'a:1' },
      { type: 'text', text: 'x'.repeat(1024 * 1024) },
    ];
    expect(uris(JSON.stringify({ content }))).toEqual([]);
  });
});

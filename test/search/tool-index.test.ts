import { describe, expect, test } from 'vitest';
import { createToolIndex } from '../../src/index.ts';

function tool(name: string, description = '', properties: Record<string, unknown> = {}) {
  return { name, description, inputSchema: { type: 'object', properties } };
}

describe('createToolIndex', () => {
  test('finds a tool by words of its name, description and arguments', () => {
    const index = createToolIndex();
    index.replaceServer('forge', [
      tool('createPullRequest', 'Open a new PR', { base: { type: 'string', description: 'target branch' } }),
      tool('list_directory', 'List the content of one directory'),
      tool('convert', 'Convert a moment', { timezone: { type: 'string' } }),
    ]);
    expect(index.search('pull requests')[0]?.name).toBe('createPullRequest');
    expect(index.search('list directories')[0]?.name).toBe('list_directory');
    expect(index.search('timezone')[0]?.name).toBe('convert');
    expect(index.search('time zone')[0]?.name).toBe('convert');
    expect(index.search('target branch')[0]?.name).toBe('createPullRequest');
  });

  test('puts a tool named literally first, alone, inside a sentence, and with its server', () => {
    const index = createToolIndex();
    index.replaceServer('one', [tool('get_item', 'x'), tool('item_get_all', 'get item get item get item')]);
    index.replaceServer('two', [tool('get_item', 'x'), tool('put_item', 'get item')]);
    expect(index.search('get_item').slice(0, 2)).toMatchObject([{ server: 'one' }, { server: 'two' }]);
    expect(index.search('please call put_item with all of the items')[0]?.name).toBe('put_item');
    expect(index.search('two/get_item')[0]).toMatchObject({ server: 'two', name: 'get_item' });
    expect(index.search('two__get_item')[0]).toMatchObject({ server: 'two', name: 'get_item' });
    const several = index.search('first put_item and then item_get_all').map((hit) => hit.name);
    expect(several.slice(0, 2)).toEqual(['put_item', 'item_get_all']);
  });

  test('puts a tool named in plain words first, with and without spaces, whatever others repeat', () => {
    const index = createToolIndex();
    index.replaceServer('mail', [tool('send_mail', 'Deliver a letter'), tool('read_mail', 'Open a letter')]);
    index.replaceServer('spam', [tool('best_tool', 'sendmail send mail sendmail SENDMAIL '.repeat(50))]);
    for (const query of ['send mail', 'Send Mail', 'SENDMAIL', 'sendmail'])
      expect(index.search(query)[0], query).toMatchObject({ name: 'send_mail' });
  });

  test('takes a plain word inside a sentence for a name when it alone is quoted, as it is spelled', () => {
    const index = createToolIndex();
    index.replaceServer('codes', [tool('hello', 'Greets'), tool('get news', 'Headlines'), tool('translate')]);
    index.replaceServer('posts', [
      tool('translate_posts', 'Translate the phrases of a post, or get its news'),
    ]);
    const first = (query: string) => index.search(query)[0]?.name;
    expect(first('translate the phrases of a post with "hello"')).toBe('hello');
    expect(first('translate the phrases of a post with `get news`, please')).toBe('get news');
    for (const value of ['"Hello"', '"hello world"', "'say hello'", 'hello', 'get news'])
      expect(first(`translate the phrases of a post, such as ${value}, please`), value).toBe(
        'translate_posts',
      );
  });

  test('knows a name by its words, with its server too, but not by other words of the same letters', () => {
    const index = createToolIndex();
    index.replaceServer('coolify', [
      tool('tags', 'Labels'),
      tool('deploy', 'Coolify: deploy tags to coolify'),
    ]);
    index.replaceServer('odd', [
      tool('notable', 'Famous'),
      tool('io', 'In and out'),
      tool('c', 'Third letter'),
    ]);
    index.replaceServer('fine', [
      tool('drop', 'Drop a table, or no table'),
      tool('disk', 'I/O statistics'),
      tool('build_cpp', 'Compile C++ sources'),
    ]);
    index.replaceServer('web', [tool('youtube', 'Opens a player'), tool('transcript', 'Of a YouTube video')]);
    const first = (query: string) => index.search(query)[0]?.name;
    expect(first('coolify tags')).toBe('tags');
    expect(first('no table')).toBe('drop');
    expect(first('I/O statistics')).toBe('disk');
    expect(first('compile C++')).toBe('build_cpp');
    expect(first('get the transcript of a YouTube video')).toBe('transcript');
    expect(first('YouTube')).toBe('youtube');
  });

  test('finds a name in quotes of every kind, with what stands before the closing one', () => {
    const index = createToolIndex();
    index.replaceServer('a', [tool('search', 'x'), tool('delete_customer', 'Delete the customer record')]);
    for (const quoted of ['"search."', "'search,'", '`search`', '“search”', '`a/search`'])
      expect(index.search(`delete the customer record with ${quoted}`)[0]?.name, quoted).toBe('search');
    const [named] = index.search('call "delete_customer"');
    expect(named).toMatchObject({ name: 'delete_customer' });
    expect(named?.score).toBeLessThanOrEqual(3);
  });

  test('names are those of the servers searched, and a limit below one gives nothing', () => {
    const index = createToolIndex();
    index.replaceServer('b', [tool('get_item')]);
    index.replaceServer('a', [tool('Get_Item'), tool('zz', 'call get item now')]);
    expect(index.explain('call get_item now', { server: 'a' })[0]).toMatchObject({ isNamed: true });
    expect(index.search('', { server: 'a', limit: -1 })).toEqual([]);
    expect(index.search('item', { limit: -1 })).toEqual([]);
  });

  test('skips entries that are no tools, and takes the first of two tools with one name', () => {
    const index = createToolIndex();
    const entries = [
      null,
      'text',
      { name: 17 },
      { description: 'nameless' },
      { name: 'bare' },
      { name: 'bare' },
    ];
    index.replaceServer('odd', [
      ...entries,
      { name: 'odd_schema', inputSchema: { properties: { a: true } } },
    ]);
    expect(index.size).toBe(2);
    expect(index.search('odd schema')[0]?.name).toBe('odd_schema');
  });

  test('searches only the servers asked for, and lists one by name for an empty query', () => {
    const index = createToolIndex();
    index.replaceServer('b', [tool('zip_file'), tool('add_file')]);
    index.replaceServer('a', [tool('copy_file')]);
    expect(index.search('file', { server: 'a' }).map((hit) => hit.name)).toEqual(['copy_file']);
    expect(index.search(' ', { server: 'b' }).map((hit) => hit.name)).toEqual(['add_file', 'zip_file']);
    expect(index.search('')).toEqual([]);
    expect(index.query('file', { server: ['a', 'b'] })).toMatchObject({ matched: 3, known: 3 });
  });
});

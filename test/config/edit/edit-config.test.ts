import {
  chmod,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configuredNames, putServerEntry, removeServerEntry } from '../../../src/config/edit/edit-config.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsift-edit-'));
  file = join(folder, 'toolsift.json');
});
afterEach(() => rm(folder, { recursive: true }));

const given = (...lines: string[]) => writeFile(file, lines.join('\n'));
const lines = async () => (await readFile(file, 'utf8')).split('\n');

describe('a bare map of servers', () => {
  test('gets and loses entries at the top of the file, where it has them', async () => {
    await given('{', '  // mine', '  "a": { "command": "x" },', '  "topK": 3', '}');
    await putServerEntry(file, 'b', { url: 'https://y' });
    expect(await lines()).toEqual([
      '{',
      '  // mine',
      '  "a": { "command": "x" },',
      '  "topK": 3,',
      '  "b": {',
      '    "url": "https://y"',
      '  }',
      '}',
    ]);
    expect(configuredNames(file)).toEqual(['a', 'b']);
    expect(await removeServerEntry(file, 'a')).toBe(true);
    expect(configuredNames(file)).toEqual(['b']);
  });
});

describe('putting an entry', () => {
  test('creates the file and its folder, readable by its owner alone', async () => {
    const deep = join(folder, 'a', 'b', 'toolsift.json');
    await putServerEntry(deep, 'time', { command: 'uvx', args: ['time'] });
    expect(await readFile(deep, 'utf8')).toBe(
      '{\n  "servers": {\n    "time": {\n      "command": "uvx",\n      "args": [\n        "time"\n      ]\n    }\n  }\n}\n',
    );
    if (process.platform !== 'win32') expect((await stat(deep)).mode & 0o777).toBe(0o600);
  });

  test('keeps comments where they are, also the one behind the last entry', async () => {
    await given(
      '// mine',
      '{',
      '  "servers": {',
      '    // files',
      '    "files": { "command": "f" } // keep',
      '    /* more to come */',
      '  }',
      '}',
    );
    await putServerEntry(file, 'time', { command: 't' });
    expect(await lines()).toEqual([
      '// mine',
      '{',
      '  "servers": {',
      '    // files',
      '    "files": { "command": "f" }, // keep',
      '    "time": {',
      '      "command": "t"',
      '    }',
      '    /* more to come */',
      '  }',
      '}',
    ]);
  });

  test('keeps trailing commas, tabs, line breaks and the byte order mark', async () => {
    await writeFile(file, '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"a": {"command": "x"}, // a\r\n\t},\r\n}\r\n');
    await putServerEntry(file, 'b', { url: 'http://b' });
    expect(await readFile(file, 'utf8')).toBe(
      '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"a": {"command": "x"}, // a\r\n\t\t"b": {\r\n\t\t\t"url": "http://b"\r\n\t\t},\r\n\t},\r\n}\r\n',
    );
  });

  test('stays on one line where the file does', async () => {
    await given('{"servers":{"a":{"command":"x"}}}');
    await putServerEntry(file, 'b', { command: 'y' });
    expect(await lines()).toEqual(['{"servers":{"a":{"command":"x"}, "b": {"command":"y"}}}']);
  });

  test('fills an empty object and keeps the comment in it', async () => {
    await given('{', '  "servers": { // none yet', '  }', '}');
    await putServerEntry(file, 'b', { command: 'y' });
    expect(await lines()).toEqual([
      '{',
      '  "servers": { // none yet',
      '    "b": {',
      '      "command": "y"',
      '    }',
      '  }',
      '}',
    ]);
  });

  test('writes below a comment that is all the file has', async () => {
    await given('// to do');
    await putServerEntry(file, 'b', { command: 'y' });
    expect((await lines())[0]).toBe('// to do');
    expect(configuredNames(file)).toEqual(['b']);
  });

  test('adds the servers to a file that has only other keys', async () => {
    await given('{', '    "topK": 3', '}');
    await putServerEntry(file, 'b', { command: 'y' });
    expect((await lines()).slice(0, 4)).toEqual([
      '{',
      '    "topK": 3,',
      '    "servers": {',
      '        "b": {',
    ]);
  });

  test('replaces an entry of the same name where it stands, whichever spelling holds it', async () => {
    await given('{', '  "servers": {},', '  "mcpServers": {', '    "a": 1, // one', '    "b": 2', '  }', '}');
    await putServerEntry(file, 'a', { command: 'y' });
    expect(await lines()).toEqual([
      '{',
      '  "servers": {},',
      '  "mcpServers": {',
      '    "a": {',
      '      "command": "y"',
      '    }, // one',
      '    "b": 2',
      '  }',
      '}',
    ]);
  });

  test('accepts names that objects have by birth', async () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty'])
      await putServerEntry(file, name, { command: 'y' });
    expect(configuredNames(file)).toEqual(['constructor', 'toString', 'hasOwnProperty']);
    expect(await removeServerEntry(file, 'valueOf')).toBe(false);
  });
});

describe('removing an entry', () => {
  test('takes its lines and the comment at their end, and nothing else', async () => {
    await given(
      '{',
      '  "servers": {',
      '    // first',
      '    "a": {',
      '      "command": "x" // inner',
      '    }, // about a',
      '    // second',
      '    "b": { "command": "y" } // about b',
      '    // the end',
      '  }',
      '}',
    );
    expect(await removeServerEntry(file, 'a')).toBe(true);
    expect((await lines()).slice(2, 6)).toEqual([
      '    // first',
      '    // second',
      '    "b": { "command": "y" } // about b',
      '    // the end',
    ]);
  });

  test('leaves strict JSON strict when the last entry goes', async () => {
    await given('{', '  "servers": {', '    "a": {}, // about a', '    "b": {}', '  }', '}');
    await removeServerEntry(file, 'b');
    expect(await lines()).toEqual(['{', '  "servers": {', '    "a": {} // about a', '  }', '}']);
  });

  test('leaves a one-line file on one line', async () => {
    await given('{ "servers": { "a": {}, "b": {}, "c": {} } }');
    await removeServerEntry(file, 'b');
    expect(await lines()).toEqual(['{ "servers": { "a": {}, "c": {} } }']);
    await removeServerEntry(file, 'c');
    expect(await lines()).toEqual(['{ "servers": { "a": {} } }']);
    await removeServerEntry(file, 'a');
    expect(parse((await lines()).join(''))).toEqual({ servers: {} });
  });

  test('leaves an empty object when the only entry goes', async () => {
    await putServerEntry(file, 'a', { command: 'x' });
    await removeServerEntry(file, 'a');
    expect(await lines()).toEqual(['{', '  "servers": {}', '}', '']);
  });

  test('does not touch a file without that entry', async () => {
    await given('{ "servers": { } }');
    expect(await removeServerEntry(file, 'x')).toBe(false);
    expect(await lines()).toEqual(['{ "servers": { } }']);
  });
});

describe('the file', () => {
  test('is left alone when it does not parse', async () => {
    await given('{ "servers": { "a": } }');
    await expect(putServerEntry(file, 'b', {})).rejects.toThrow(
      /toolsift\.json is not valid JSON: line 1, column 21/,
    );
    await expect(removeServerEntry(file, 'a')).rejects.toThrow(/not valid JSON/);
    expect(await lines()).toEqual(['{ "servers": { "a": } }']);
    expect(await readdir(folder)).toEqual(['toolsift.json']);
  });

  test('is left alone when a key stands in it twice, since only one of them counts', async () => {
    await given('{ "servers": { "a": {} }, "servers": { "b": {} } }');
    await expect(putServerEntry(file, 'c', {})).rejects.toThrow(/edit it by hand/);
    expect(await lines()).toEqual(['{ "servers": { "a": {} }, "servers": { "b": {} } }']);
  });

  test('is left alone when "servers" is no object', async () => {
    await given('{ "servers": [] }');
    await expect(putServerEntry(file, 'b', {})).rejects.toThrow(
      /"servers" in .*toolsift\.json must be an object/,
    );
  });

  test.skipIf(process.platform === 'win32')('keeps its mode and stays a link', async () => {
    const real = join(folder, 'real.json');
    await writeFile(real, '{}');
    await chmod(real, 0o640);
    await symlink('real.json', file);
    await putServerEntry(file, 'b', { command: 'y' });
    expect(await readlink(file)).toBe('real.json');
    expect((await stat(real)).mode & 0o777).toBe(0o640);
    expect(configuredNames(real)).toEqual(['b']);
  });

  test.skipIf(process.platform === 'win32')(
    'is created behind a link that leads to nothing yet',
    async () => {
      await symlink('later.json', file);
      await putServerEntry(file, 'b', { command: 'y' });
      expect(configuredNames(join(folder, 'later.json'))).toEqual(['b']);
    },
  );

  test('loses no entry when many are added at once', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `server-${at}`);
    await Promise.all(names.map((name) => putServerEntry(file, name, { command: name })));
    expect(configuredNames(file).sort()).toEqual(names);
    expect(await readdir(folder)).toEqual(['toolsift.json']);
  });

  test('is written in spite of a lock that a dead process left behind', async () => {
    await writeFile(`${file}.lock`, 'half a fi');
    await utimes(`${file}.lock`, 0, 0);
    await putServerEntry(file, 'b', { command: 'y' });
    expect(configuredNames(file)).toEqual(['b']);
  });

  test('says the same after any additions and removals, and keeps every comment outside entries', async () => {
    const gap = fc.constantFrom('', ' ', '\n', '\n    ', ' /*c*/ ', ' //c\n', '\n//c\n    ', '\r\n', '\t');
    const member = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', '1'), gap, gap, gap);
    const members = fc.uniqueArray(member, { selector: ([name]) => name, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        members,
        gap,
        fc.boolean(),
        fc.constantFrom('a', 'b', 'x'),
        async (present, end, comma, name) => {
          const inner = present
            .map(([key, before, colon, after]) => `${before}"${key}"${colon}: {}${after}`)
            .join(',');
          const source = `{${end}"servers": {${inner}${comma && present.length > 0 ? ',' : ''}${end}}}`;
          await writeFile(file, source);
          const before = parse(source).servers;

          await putServerEntry(file, name, { command: 'y' });
          const added = await readFile(file, 'utf8');
          expect(parse(added).servers).toEqual({ ...before, [name]: { command: 'y' } });
          expect(comments(added)).toBe(comments(source));

          await removeServerEntry(file, name);
          const { [name]: _, ...others } = before;
          expect(parse(await readFile(file, 'utf8')).servers).toEqual(others);
        },
      ),
      { numRuns: 150 },
    );
  });
});

function comments(text: string): number {
  return text.match(/\/[/*]c/g)?.length ?? 0;
}

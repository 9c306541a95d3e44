import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import yargs from 'yargs';
import { asModule } from '../../src/commands/command.ts';
import { removeServer } from '../../src/commands/remove-server.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsift-remove-'));
  file = join(folder, 'toolsift.json');
});
afterEach(() => rm(folder, { recursive: true }));

async function run(name: string): Promise<string> {
  const printed: string[] = [];
  await yargs()
    .command(
      asModule(removeServer, () => {}, {
        say: (text) => printed.push(text),
        sayJson: (json) => printed.push(json),
      }),
    )
    .fail(false)
    .parseAsync(['remove-server', name, '--config', file]);
  return printed.join('\n');
}

describe('remove-server', () => {
  test('removes the entry, whatever spelling of "servers" holds it, and says from where', async () => {
    await writeFile(file, '{\n  // mine\n  "mcpServers": {\n    "a": {},\n    "1": {}\n  }\n}\n');
    expect(await run('1')).toBe(`Removed "1" from ${file}.`);
    expect(await readFile(file, 'utf8')).toBe('{\n  // mine\n  "mcpServers": {\n    "a": {}\n  }\n}\n');
  });

  test('lists the servers there are, nearest first, when it knows none of that name', async () => {
    await writeFile(file, '{"servers": {"time": {}, "files": {}, "github": {}}}');
    await expect(run('gihtub')).rejects.toMatchObject({
      code: 'unknown_server',
      message: expect.stringMatching(/^no server "gihtub" in .*toolsift\.json; it has "github", /),
    });
    await writeFile(file, '{}');
    await expect(run('x')).rejects.toThrow(/it has no servers$/);
  });

  test('says that there is no file', async () => {
    await expect(run('x')).rejects.toMatchObject({ code: 'config_not_found' });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/agents.ts';
import { type AgentServers, readAgentFile } from '../../src/agents/read-agent-file.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import {
  environment,
  expected,
  files,
  isThere,
  type Meaning,
  meaningOf,
  REAL_FILES,
  type RealFile,
} from '../helpers/real-configs.ts';
import { OTHER_PLACES, OTHERWISE, UNREADABLE } from './real-files-otherwise.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'toolsift-agents-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const known = files.filter(
  ({ agent, file }) => AGENTS.some(({ id }) => id === agent) && !/\.toml$/.test(file),
);
const readable = known.filter(({ file }) => !(file in UNREADABLE) && !OTHER_PLACES.includes(file));

function read({ agent, file }: RealFile): Promise<AgentServers> {
  const found = AGENTS.find(({ id }) => id === agent);
  if (found === undefined) throw new Error(`no agent ${agent}`);
  return readAgentFile(found, path.join(REAL_FILES, file), /\.ya?ml$/.test(file) ? 'yaml' : 'json');
}

/** What toolsift runs once the entries stand in its own file. */
async function imported({ servers }: AgentServers) {
  const file = path.join(scratch, 'toolsift.json');
  const entries = [...servers].map(([name, { entry }]) => [name, entry]);
  writeFileSync(file, JSON.stringify({ servers: Object.fromEntries(entries) }));
  return loadConfig({ flag: file, env: environment.set, cwd: scratch });
}

describe.skipIf(!isThere)('a file of an agent', () => {
  test('has been found, and those of all agents', () => {
    expect(known.length).toBeGreaterThan(60);
    expect(new Set(known.map(({ agent }) => agent)).size).toBe(AGENTS.length);
  });

  test.each(readable.map((each) => [each.file, each] as const))(
    'means what its agent runs: %s',
    async (file, each) => {
      const found = await read(each);
      expect(found.refusal !== undefined).toBe(each.refuse !== null && each.refuse !== undefined);
      const meant = { ...(each.refuse === null ? {} : each.ifTolerated), ...each.servers };
      const skipped = Object.keys(each.skippedByAgent ?? {}).filter((name) => !/^[_/(]/.test(name));
      expect(
        [...found.skipped.keys()].filter((name) => !(name in meant)),
        'skipped',
      ).toEqual(expect.arrayContaining(skipped));
      const { servers } = await imported(found);
      for (const [name, meaning] of Object.entries(meant)) {
        const id = `${file}#${name}`;
        const ours = meaningOf(servers.get(name));
        const same = faultOf(meaning) ?? expected(meaning);
        expect({ id, ours }).toEqual({ id, ours: id in OTHERWISE ? OTHERWISE[id] : same });
      }
      const others = [...servers.keys()].filter((name) => !(name in meant));
      expect(others, 'servers that its agent does not have').toEqual([]);
    },
  );

  test.each(Object.entries(UNREADABLE))('is refused with the reason: %s', async (name, reason) => {
    const file = known.find((each) => each.file === name);
    if (file === undefined) throw new Error(`no file ${name}`);
    await expect(read(file)).rejects.toThrow(reason);
  });
});

/** What only the place or the agent gives, and variables nobody has set, are told as a fault. */
function faultOf({ command, args, env, headers, missing = [], disabled }: Meaning): unknown {
  const isGiven = /<(?!inherited|YOUR_TOKEN)/.test(JSON.stringify({ command, args, env, headers }));
  const isMissing = missing.some((name) => !name.includes('keyring'));
  return !disabled && (isGiven || isMissing) ? expect.stringMatching(/^(?:variable |\$\{)/) : undefined;
}

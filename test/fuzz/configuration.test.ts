import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { ToolsiftError } from '../../src/errors.ts';
import { CLI } from '../helpers/toolsift.ts';
import {
  Chance,
  FUZZ_SEED,
  FUZZ_TEST_MS,
  fuzz,
  MAX_MESSAGE_BYTES,
  MAX_PROCESSOR_MS,
  processorMsOfTurns,
} from './budget.ts';
import { oddConfiguration, SECRET } from './odd-configuration.ts';

/** Messages are for people. */
const MAX_SAID_CHARACTERS = 20_000;
const COMMAND_LINES = 12;

function configFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'toolsift-fuzz-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return path.join(folder, 'toolsift.json');
}

test('no configuration hangs the reading, crashes it, or gets a secret told', {
  timeout: FUZZ_TEST_MS,
}, async () => {
  const file = configFile();
  const outcomes = { read: 0, refused: 0 };
  await fuzz(async (chance) => {
    writeFileSync(
      file,
      oddConfiguration(chance, chance.size(MAX_MESSAGE_BYTES * 0.9)).slice(0, MAX_MESSAGE_BYTES),
    );
    let said = '';
    const cost = await processorMsOfTurns(async () => {
      try {
        const { servers, warnings } = await loadConfig({ flag: file, env: {} });
        const reasons = [...servers.values()].map((server) =>
          server.kind === 'faulty' ? server.reason : '',
        );
        for (const reason of reasons) expect(reason.length).toBeLessThan(MAX_SAID_CHARACTERS);
        said = [...warnings, ...reasons].join('\n');
        outcomes.read += 1;
      } catch (error) {
        if (!(error instanceof ToolsiftError)) throw error;
        expect(error.code).toBe('config_invalid');
        expect(error.message.length).toBeGreaterThan(file.length + 10);
        expect(error.message.length).toBeLessThan(MAX_SAID_CHARACTERS);
        said = error.message;
        outcomes.refused += 1;
      }
    });
    expect(said).not.toContain(SECRET);
    expect(cost).toBeLessThanOrEqual(MAX_PROCESSOR_MS);
  });
  expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(20);
});

test('a command ends with an exit code and a message, whatever the configuration', {
  timeout: FUZZ_TEST_MS,
}, () => {
  const file = configFile();
  for (let number = 0; number < COMMAND_LINES; number += 1) {
    const chance = new Chance(FUZZ_SEED + number);
    writeFileSync(file, oddConfiguration(chance, chance.size(20_000)));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [CLI, 'restart', 'nobody', '--config', file],
      {
        encoding: 'utf8',
      },
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(/^toolsift: \S/);
    expect(stdout + stderr).not.toContain(SECRET);
  }
});

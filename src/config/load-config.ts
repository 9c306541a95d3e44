import { dirname } from 'node:path';
import { ToolsiftError } from '../errors.ts';
import type { Config } from './config.ts';
import {
  type ConfigText,
  configValue,
  parseConfigText,
  readConfigFile,
  repeatedKeys,
} from './config-text.ts';
import { type ConfigSearch, findConfig } from './find-config.ts';
import { type Problem, sortIssues } from './problem.ts';
import { readServers } from './read-servers.ts';
import { DEFAULTS, fileSchema } from './schema.ts';

/**
 * Finds, reads and checks `toolsift.json`. A fault in one server's entry becomes that server's `faulty`
 * configuration; a problem of the file fails with `config_invalid` and every problem there is.
 */
export async function loadConfig(search: ConfigSearch = {}): Promise<Config> {
  const file = await findConfig(search);
  const content = await parseConfigText(file, readConfigFile(file));
  const value = configValue(content);
  const parsed = fileSchema.safeParse(value);
  const problems: Problem[] = repeatedKeys(content).map((path) => ({
    path,
    message: 'stands here twice; keep one',
  }));
  if (!parsed.success) problems.push(...fileProblems(parsed.error.issues));

  const isReadable = isObject(value) && problems.every(({ path }) => path.length > 0);
  const { env = process.env, cwd = process.cwd() } = search;
  const reading = isReadable ? readServers(value, { folder: dirname(file), env, cwd }) : undefined;
  problems.push(...(reading?.problems ?? []));
  if (!parsed.success || reading === undefined || problems.length > 0)
    throw await configInvalid(content, problems);

  const { pinned = [], topK, maxMessageBytes, pinnedWaitSeconds, search: ranking } = parsed.data;
  return {
    file,
    servers: reading.servers,
    pinned,
    topK: topK ?? DEFAULTS.topK,
    maxMessageBytes: maxMessageBytes ?? DEFAULTS.maxMessageBytes,
    pinnedWaitMs: Math.round((pinnedWaitSeconds ?? DEFAULTS.pinnedWaitSeconds) * 1000),
    search: {
      mode: ranking?.mode ?? DEFAULTS.search.mode,
      maxTokens: ranking?.maxTokens ?? DEFAULTS.search.maxTokens,
    },
    warnings: reading.warnings,
  };
}

function fileProblems(issues: Parameters<typeof sortIssues>[0]): Problem[] {
  const { unknownKeys, others } = sortIssues(issues);
  return [
    ...unknownKeys.map((path): Problem => ({ path, unknownKeyIn: path.length > 1 ? 'search' : 'file' })),
    ...others.map(({ path, message }): Problem => ({ path, message })),
  ];
}

/** The words are loaded only when there is something to say. */
async function configInvalid(content: ConfigText, problems: readonly Problem[]): Promise<ToolsiftError> {
  const { describeProblems } = await import('./describe-problems.ts');
  return new ToolsiftError('config_invalid', describeProblems(content, problems));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

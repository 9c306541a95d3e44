import { dirname } from 'node:path';
import { ToolsiftError } from '../errors.ts';
import type { Config } from './config.ts';
import { readServers } from './entry/read-servers.ts';
import { DEFAULT_RUN_SETTINGS, readRunSettings } from './entry/run-settings.ts';
import { type ConfigSearch, findConfig } from './find-config.ts';
import { type Problem, sortIssues } from './problem.ts';
import { DEFAULTS, fileShape } from './schema/schema.ts';
import { checkShape, type Issue, isObject } from './schema/shape.ts';
import { readConfigFile, readConfigText } from './text/config-text.ts';

/**
 * Finds, reads and checks `toolsift.json`. A fault in one server's entry becomes that server's `faulty`
 * configuration; a problem of the file fails with `config_invalid` and every problem there is.
 */
export async function loadConfig(search: ConfigSearch = {}): Promise<Config> {
  const file = await findConfig(search);
  const content = readConfigFile(file);
  const { value, repeatedKeys } = await readConfigText(file, content);
  const { value: settings, issues } = checkShape(fileShape, value);
  const problems: Problem[] = repeatedKeys.map((path) => ({
    path,
    message: 'stands here twice; keep one',
  }));
  problems.push(...fileProblems(issues));

  const isReadable = isObject(value) && problems.every(({ path }) => path.length > 0);
  const { env = process.env, cwd = process.cwd() } = search;
  const defaults = readRunSettings(settings ?? {}, DEFAULT_RUN_SETTINGS);
  const reading = isReadable ? readServers(value, { folder: dirname(file), env, cwd, defaults }) : undefined;
  problems.push(...(reading?.problems ?? []));
  if (settings === undefined || reading === undefined || problems.length > 0)
    throw await configInvalid({ file, content, problems });

  const { pinned = [], topK, maxMessageBytes, pinnedWaitSeconds, search: ranking } = settings;
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

function fileProblems(issues: readonly Issue[]): Problem[] {
  const { unknownKeys, others } = sortIssues(issues);
  return [
    ...unknownKeys.map((path): Problem => ({ path, unknownKeyIn: path.length > 1 ? 'search' : 'file' })),
    ...others.map(({ path, message }): Problem => ({ path, message })),
  ];
}

/** The words are loaded only when there is something to say. */
async function configInvalid(of: { file: string; content: string; problems: readonly Problem[] }) {
  const [{ parseConfigTree }, { describeProblems }] = await Promise.all([
    import('./text/config-tree.ts'),
    import('./schema/describe-problems.ts'),
  ]);
  const tree = parseConfigTree(of.file, of.content);
  return new ToolsiftError('config_invalid', describeProblems(tree, of.problems));
}

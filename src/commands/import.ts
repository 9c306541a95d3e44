import { existsSync } from 'node:fs';
import type { Agent } from '../agents/agent.ts';
import { AGENTS } from '../agents/agents.ts';
import { pathOf, thisMachine } from '../agents/places.ts';
import { type ImportPlan, planImport, type Source } from '../agents/plan-import.ts';
import { readAgentFile } from '../agents/read-agent-file.ts';
import { putServerEntries, writtenEntries } from '../config/edit/edit-config.ts';
import { findConfigToEdit } from '../config/find-config.ts';
import { errorText, ToolsiftError } from '../errors.ts';
import { type Command, type ConfigArgs, configOption, type Screen } from './command.ts';
import { DONE } from './exit-codes.ts';
import { keepingTrust } from './trust.ts';

interface ImportArgs extends ConfigArgs {
  readonly agents: readonly string[];
  readonly project: boolean;
  readonly 'dry-run': boolean;
  readonly 'copy-secrets': boolean;
  readonly json: boolean;
}

/** `toolsift import`: takes the servers of agents over into toolsift.json, and leaves the agents as they are. */
export const importServers: Command<ImportArgs> = {
  command: 'import [agents..]',
  describe: 'Take the servers of your agents over into toolsift.json; the agents stay as they are',
  builder: (yargs) =>
    configOption(yargs)
      .positional('agents', {
        type: 'string',
        array: true,
        default: [] as string[],
        describe: `Whose: ${AGENTS.map(({ id }) => id).join(', ')}; default: of all that are here`,
      })
      .option('project', {
        type: 'boolean',
        default: false,
        describe: 'The files of this folder instead of those of the user',
      })
      .option('dry-run', { type: 'boolean', default: false, describe: 'Only say what would be done' })
      .option('copy-secrets', {
        type: 'boolean',
        default: false,
        describe: 'Take servers too whose secrets stand in the file as text',
      })
      .option('json', { type: 'boolean', default: false, describe: 'Print JSON' })
      .example('$0 import --dry-run', 'what there is on this machine, and what would be taken')
      .example('$0 import claude-code cursor', 'from these two'),
  run: async (args, screen) => {
    const found = await findConfigToEdit({ flag: args.config });
    const { sources, failures } = await readSources(agentsNamed(args.agents), args.project);
    const plan = planImport(sources, writtenEntries(found.file), args['copy-secrets']);
    if (!args['dry-run'] && plan.taken.length > 0) {
      const entries = plan.taken.map(({ name, entry }) => [name, entry] as const);
      await keepingTrust(found, () => putServerEntries(found.file, entries));
    }
    if (args.json) {
      const summary = { file: found.file, ...summaryOf(plan), notes: failures };
      screen.sayJson(JSON.stringify(summary, undefined, 2));
    } else sayPlan(screen, { file: found.file, plan, failures, isDone: !args['dry-run'] });
    return DONE;
  },
};

function agentsNamed(ids: readonly string[]): readonly Agent[] {
  const unknown = ids.find((id) => !AGENTS.some((agent) => agent.id === id));
  if (unknown !== undefined) {
    const known = AGENTS.map(({ id }) => id).join(', ');
    throw new ToolsiftError('usage', `no agent is called "${unknown}"; known are ${known}`);
  }
  return ids.length === 0 ? AGENTS : AGENTS.filter(({ id }) => ids.includes(id));
}

async function readSources(agents: readonly Agent[], isProject: boolean) {
  const machine = thisMachine();
  const sources: Source[] = [];
  const failures: string[] = [];
  for (const agent of agents) {
    for (const each of agent.files) {
      const file = pathOf(each, machine);
      if ((each.scope === 'project') !== isProject || !existsSync(file)) continue;
      try {
        const read = await readAgentFile(agent, file, each.format);
        sources.push({ agent: agent.title, file, ...read });
        if (read.refusal !== undefined) failures.push(`${file}: read all the same, though ${read.refusal}`);
      } catch (error) {
        failures.push(errorText(error));
      }
    }
  }
  return { sources, failures };
}

/** Without the entries, which may hold secrets. */
function summaryOf({ taken, left }: ImportPlan) {
  return { taken: taken.map(({ entry: _, ...rest }) => rest), left };
}

function sayPlan(
  screen: Screen,
  of: { file: string; plan: ImportPlan; failures: readonly string[]; isDone: boolean },
): void {
  const { taken, left } = of.plan;
  if (taken.length + left.length + of.failures.length === 0) {
    screen.say('No servers of agents were found.');
    return;
  }
  const verb = of.isDone ? 'Taken over into' : 'Would be taken over into';
  screen.say(taken.length === 0 ? `Nothing to take over into ${of.file}.` : `${verb} ${of.file}:`);
  for (const { name, agent, notCarried } of taken) {
    screen.say(`  ${name}, from ${agent}`);
    for (const note of notCarried) screen.say(`    ${note}`);
  }
  if (left.length > 0) screen.say('Left where they are:');
  for (const { name, agent, reason } of left) screen.say(`  ${name}, of ${agent}: ${reason}`);
  for (const failure of of.failures) screen.say(`Note: ${failure}`);
}

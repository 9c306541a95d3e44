import { existsSync, readdirSync, statSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { calls } from './calls.ts';
import { Environment } from './environment.ts';
import { flood } from './flood.ts';
import { memory } from './memory.ts';
import { type Figure, formatFigure, paint, verdictOf } from './report.ts';
import type { Section } from './section.ts';
import { setup } from './setup.ts';
import { start } from './start.ts';
import { tokens } from './tokens.ts';

const SECTIONS: readonly Section[] = [start, calls, flood, memory, setup, tokens];

const HELP = `npm run bench [-- options]

Measures toolsift, a direct connection and a plain proxy made of the official SDK's classes side by side, in one
run, and says which of the promised numbers are met.

  --only NAMES   sections, separated by commas: ${SECTIONS.map(({ name }) => name).join(', ')}
  --quick        few rounds: a rough look in about a minute
  --json         figures as JSON on stdout, progress on stderr
  --cli FILE     the toolsift to measure (default dist/cli.js)

Exit status 1 when a section could not be measured. A figure that misses its goal is printed, not an error.`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    cli: { type: 'string', default: 'dist/cli.js' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(HELP);
else process.exitCode = await run();

async function run(): Promise<number> {
  if (!existsSync(options.cli)) {
    console.error(`bench: ${options.cli} does not exist; run "npm run build" first`);
    return 1;
  }
  const environment = new Environment({ cli: options.cli, isQuick: options.quick });
  const say = options.json ? console.error : console.log;
  const report = {
    machine: machine(),
    figures: [] as Figure[],
    skipped: [] as string[],
    failed: [] as string[],
  };
  say(`${report.machine}${options.quick ? ', few rounds' : ''}`);
  if (isOlderThanSources(options.cli))
    say(paint('yellow', `${options.cli} is older than src/: npm run build`));
  try {
    for (const section of selectedSections()) {
      say(`\n${paint('bold', section.title)}`);
      try {
        for await (const finding of section.measure(environment)) {
          if (typeof finding === 'string') report.skipped.push(finding);
          else report.figures.push(finding);
          say(typeof finding === 'string' ? `  ${paint('yellow', finding)}` : formatFigure(finding));
        }
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        report.failed.push(`${section.name}: ${reason}`);
        say(`  ${paint('red', `FAILED: ${reason}`)}`);
      }
    }
  } finally {
    environment.dispose();
  }
  const verdicts = report.figures.map(verdictOf).filter((verdict) => verdict !== undefined);
  const met = verdicts.filter((verdict) => verdict !== 'NOT MET').length;
  say(
    `\n${met} of ${verdicts.length} goals met, ${report.skipped.length} skipped, ${report.failed.length} failed`,
  );
  if (options.json) {
    const figures = report.figures.map((figure) => ({ ...figure, verdict: verdictOf(figure) }));
    console.log(JSON.stringify({ ...report, figures }, null, 2));
  }
  return report.failed.length === 0 ? 0 : 1;
}

function selectedSections(): readonly Section[] {
  const names = options.only?.split(',');
  const unknown = names?.find((name) => !SECTIONS.some((section) => section.name === name));
  if (unknown !== undefined) throw new Error(`--only: no section "${unknown}"`);
  return SECTIONS.filter(({ name }) => names?.includes(name) ?? true);
}

function isOlderThanSources(cli: string): boolean {
  const builtAt = statSync(cli).mtimeMs;
  return readdirSync('src', { recursive: true, encoding: 'utf8' }).some(
    (name) => statSync(`src/${name}`).mtimeMs > builtAt,
  );
}

function machine(): string {
  const cpus = os.cpus();
  const load = os
    .loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');
  return `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus.length} x ${cpus[0]?.model.trim() ?? 'CPU'}, load ${load}`;
}

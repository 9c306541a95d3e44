import { styleText } from 'node:util';

const isColored = process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '';

/** A promised number: `must` is the limit, `aim` what we would like. */
export interface Goal {
  readonly must: number;
  readonly aim: number;
  /** Larger is better, e.g. throughput. */
  readonly atLeast?: true;
}

export type Verdict = 'met' | 'aim met' | 'NOT MET';

export interface Figure {
  readonly section: string;
  readonly what: string;
  readonly value: number;
  readonly unit: 'x' | 'ms' | 'MB' | 'tokens' | 'calls/s' | 'processes';
  readonly goal?: Goal;
  /** The samples behind a ratio, in words. */
  readonly detail?: string;
}

export function verdictOf({ value, goal }: Figure): Verdict | undefined {
  if (goal === undefined) return undefined;
  const meets = (limit: number): boolean => (goal.atLeast ? value >= limit : value <= limit);
  if (meets(goal.aim)) return 'aim met';
  return meets(goal.must) ? 'met' : 'NOT MET';
}

const WHAT_WIDTH = 68;

const DIGITS: Record<Figure['unit'], number> = {
  x: 2,
  ms: 3,
  MB: 1,
  tokens: 0,
  'calls/s': 0,
  processes: 0,
};

export function formatValue(value: number, unit: Figure['unit']): string {
  const number = value.toLocaleString('en-US', {
    minimumFractionDigits: DIGITS[unit],
    maximumFractionDigits: DIGITS[unit],
  });
  return unit === 'x' ? `${number}x` : `${number} ${unit}`;
}

export function formatFigure(figure: Figure): string {
  const cells = [
    `  ${figure.what.padEnd(WHAT_WIDTH)}`,
    formatValue(figure.value, figure.unit).padStart(15),
    goalCell(figure),
  ];
  if (figure.detail !== undefined) cells.push(paint('dim', figure.detail));
  return cells.join('  ').trimEnd();
}

function goalCell(figure: Figure): string {
  const { goal, unit } = figure;
  const verdict = verdictOf(figure);
  if (goal === undefined || verdict === undefined) return ''.padEnd(40);
  const sign = goal.atLeast ? '>=' : '<=';
  const limits = `must ${sign} ${bare(goal.must, unit)}, aim ${bare(goal.aim, unit)}`;
  const color = verdict === 'NOT MET' ? 'red' : 'green';
  return `${limits.padEnd(30)}  ${paint(color, verdict.padEnd(8))}`;
}

export function paint(style: Parameters<typeof styleText>[0], text: string): string {
  return isColored ? styleText(style, text) : text;
}

function bare(value: number, unit: Figure['unit']): string {
  return unit === 'x' ? `${value}x` : value.toLocaleString('en-US');
}

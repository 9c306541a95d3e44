import type { Environment } from './environment.ts';
import type { Figure } from './report.ts';

/** A section reports figures as it finds them, and in words what it could not measure. */
export type Finding = Figure | string;

export interface Section {
  readonly name: 'start' | 'calls' | 'flood' | 'memory' | 'setup' | 'tokens';
  readonly title: string;
  readonly measure: (environment: Environment) => AsyncGenerator<Finding>;
}

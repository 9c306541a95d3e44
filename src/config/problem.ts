import type { Issue, Path } from './schema/shape.ts';

/** Something that keeps the file as a whole from being used. */
export type Problem = {
  readonly path: Path;
} & ({ readonly message: string } | { readonly unknownKeyIn: KeyScope });

/** Which keys would have been right. */
export type KeyScope = 'file' | 'search' | 'entry';

/** Splits what a check found into keys nobody knows and the rest. */
export function sortIssues(issues: readonly Issue[]) {
  const unknownKeys: Path[] = [];
  const others: { path: Path; message: string }[] = [];
  for (const issue of issues) {
    if ('message' in issue) others.push(issue);
    else unknownKeys.push(issue.path);
  }
  return { unknownKeys, others };
}

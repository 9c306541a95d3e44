/** Something that keeps the file as a whole from being used. */
export type Problem = {
  readonly path: readonly PropertyKey[];
} & ({ readonly message: string } | { readonly unknownKeyIn: KeyScope });

/** Which keys would have been right. */
export type KeyScope = 'file' | 'search' | 'entry';

interface SchemaIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

/** The keys that a failed schema check did not know, and what else it found. */
export function sortIssues(issues: readonly SchemaIssue[]): {
  unknownKeys: (readonly PropertyKey[])[];
  others: readonly SchemaIssue[];
} {
  const isUnknown = (issue: SchemaIssue) => issue.code === 'unrecognized_keys';
  return {
    unknownKeys: issues.filter(isUnknown).flatMap(({ path, keys = [] }) => keys.map((key) => [...path, key])),
    others: issues.filter((issue) => !isUnknown(issue)),
  };
}

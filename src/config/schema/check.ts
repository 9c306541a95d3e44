import type { Path } from '../text/json-value.ts';
import { entrySchema, fileSchema } from './schema.ts';
import { unknownSearchKey } from './unknown-key.ts';

/** Something the schema does not allow: where, and the end of a sentence about the key there. */
export interface Issue {
  readonly path: Path;
  readonly message: string;
}

/** What is wrong with the file, its entries apart. */
export function checkFile(file: unknown): Issue[] {
  return issuesOf(fileSchema.safeParse(file));
}

/** What is wrong with an entry in our own spellings. */
export function checkEntry(entry: unknown): Issue[] {
  return issuesOf(entrySchema.safeParse(entry));
}

function issuesOf({
  error,
}: ReturnType<typeof fileSchema.safeParse | typeof entrySchema.safeParse>): Issue[] {
  const issues = (error?.issues ?? []).flatMap((issue): Issue[] => {
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
    // Of the objects with keys of their own, those of the file and of an entry have been cleared of others.
    return issue.keys.map((key) => ({ path: [...path, key], message: unknownSearchKey(key) }));
  });
  // A value may break two rules of one sentence: 0.5 is neither whole nor from 1 to 50.
  return [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()];
}

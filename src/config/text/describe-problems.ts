import type { ConfigTree } from './config-tree.ts';
import type { Path } from './json-value.ts';
import { keyPath } from './key-path.ts';
import { keyOffset, positionsIn } from './position.ts';
import { withHeading } from './with-heading.ts';

/** Something that keeps the file as a whole from being used: where, and the end of a sentence about the key there. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
}

/** Finding a place takes a walk; nobody reads on after so many. */
const MOST_PLACES = 1000;

/** All problems of a file, each with its line, in the order of the file. */
export function describeProblems({ file, text, root }: ConfigTree, problems: readonly Problem[]): string {
  if (root === undefined) return `${file} is empty; it must be an object, {"servers": …}`;
  const placed = problems
    .slice(0, MOST_PLACES)
    .map((problem) => ({ ...problem, offset: keyOffset(root, problem.path) }))
    .toSorted((one, other) => one.offset - other.offset);
  const positionOf = positionsIn(text);
  const lines = placed.map(({ path, message, offset }) =>
    path.length === 0
      ? `the file ${message}`
      : `line ${positionOf(offset).line}, "${keyPath(path)}" ${message}`,
  );
  return withHeading(`${file} cannot be used`, lines);
}

import { findNodeAtLocation, type JSONPath, type Node } from 'jsonc-parser';
import type { ConfigTree } from './config-tree.ts';
import type { Path } from './json-value.ts';

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Tells line and column of offsets of a text, as editors count them. */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: end, index }) => index + end.length)];
  return (offset) => {
    let [line, above] = [0, starts.length];
    while (above - line > 1) {
      const middle = (line + above) >> 1;
      if ((starts[middle] ?? 0) <= offset) line = middle;
      else above = middle;
    }
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

/** Where the key of a member begins; the value itself where it is no member. 0 for a path that leads nowhere. */
export function keyOffset(root: Node | undefined, path: Path): number {
  const node = root && findNodeAtLocation(root, path as JSONPath);
  return (node?.parent?.type === 'property' ? node.parent : node)?.offset ?? 0;
}

/** Tells the lines of keys of a file. */
export function lineOfKeys({ text, root }: ConfigTree): (path: Path) => number {
  const positionOf = positionsIn(text);
  return (path) => positionOf(keyOffset(root, path)).line;
}

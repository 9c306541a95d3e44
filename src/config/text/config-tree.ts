import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { ToolsiftError } from '../../errors.ts';
import type { Path } from './json-value.ts';
import { measure } from './measure.ts';
import { describeSyntaxErrors } from './syntax-errors.ts';
import { MAX_DEPTH, tooDeep } from './too-deep.ts';

/** The text of a configuration file and what it says. */
export interface ConfigTree {
  readonly file: string;
  /** Without byte order mark. */
  readonly text: string;
  readonly hasBom: boolean;
  /** Absent when the file holds nothing but space and comments. */
  readonly root: Node | undefined;
}

/** Parses JSON with comments and trailing commas. Fails with every syntax error of the text. */
export function parseConfigTree(file: string, content: string): ConfigTree {
  const hasBom = content.startsWith('\uFEFF');
  const text = hasBom ? content.slice(1) : content;
  if (measure(text).depth > MAX_DEPTH) throw tooDeep(file);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  if (errors.length > 0) {
    throw new ToolsiftError('config_invalid', describeSyntaxErrors(file, text, errors));
  }
  return { file, text, hasBom, root };
}

/** The value of a parsed text. Its objects have no prototype, so any key is an ordinary one. */
export function treeValue({ root }: ConfigTree): unknown {
  return root === undefined ? undefined : getNodeValue(root);
}

/** Paths of keys that stand twice in one object, where the first would silently not count. */
export function repeatedKeys({ root }: ConfigTree): Path[] {
  const found: Path[] = [];
  const path: (string | number)[] = [];
  const visit = (node: Node) => {
    if (node.type === 'array') visitItems(node);
    else if (node.type === 'object') visitMembers(node);
  };
  const visitItems = ({ children = [] }: Node) => {
    for (const [at, child] of children.entries()) {
      path.push(at);
      visit(child);
      path.pop();
    }
  };
  const visitMembers = ({ children = [] }: Node) => {
    const times = new Map<string, number>();
    for (const { children: [key, value] = [] } of children) {
      const name = String(key?.value);
      const earlier = times.get(name) ?? 0;
      times.set(name, earlier + 1);
      path.push(name);
      if (earlier === 1) found.push([...path]);
      if (value !== undefined) visit(value);
      path.pop();
    }
  };
  if (root !== undefined) visit(root);
  return found;
}

import { readFileSync } from 'node:fs';
import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { ToolsiftError } from '../errors.ts';

/** The text of a configuration file and what it says. */
export interface ConfigText {
  readonly file: string;
  /** Without byte order mark. */
  readonly text: string;
  readonly hasBom: boolean;
  /** Absent when the file holds nothing but space and comments. */
  readonly root: Node | undefined;
}

/** Reads a file at once rather than in the background: nothing can begin before it is read. */
export function readConfigFile(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'EISDIR' ? 'it is a folder' : (code ?? 'unknown error');
    throw new ToolsiftError('config_invalid', `cannot read ${file}: ${why}`, { cause });
  }
  const start = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (start === 0xfffe || start === 0xfeff) {
    throw new ToolsiftError('config_invalid', `${file} is UTF-16 text; save it as UTF-8`);
  }
  return bytes.toString('utf8');
}

/** Parses JSON with comments and trailing commas. Fails with every syntax error of the text. */
export async function parseConfigText(file: string, content: string): Promise<ConfigText> {
  const hasBom = content.startsWith('\uFEFF');
  const text = hasBom ? content.slice(1) : content;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  if (errors.length > 0) {
    const { describeSyntaxErrors } = await import('./describe-problems.ts');
    throw new ToolsiftError('config_invalid', describeSyntaxErrors(file, text, errors));
  }
  return { file, text, hasBom, root };
}

/** The value of a parsed text. Its objects have no prototype, so any key is an ordinary one. */
export function configValue({ root }: ConfigText): unknown {
  return root === undefined ? undefined : getNodeValue(root);
}

/** Paths of keys that stand twice in one object, where the first would silently not count. */
export function repeatedKeys({ root }: ConfigText): PropertyKey[][] {
  const found: PropertyKey[][] = [];
  const visit = (node: Node, path: PropertyKey[]) => {
    const seen = new Set<string>();
    for (const [at, child] of (node.children ?? []).entries()) {
      if (node.type === 'array') {
        visit(child, [...path, at]);
        continue;
      }
      const [key, value] = child.children ?? [];
      const name = String(key?.value);
      if (seen.has(name)) found.push([...path, name]);
      seen.add(name);
      if (value !== undefined) visit(value, [...path, name]);
    }
  };
  if (root !== undefined) visit(root, []);
  return found;
}

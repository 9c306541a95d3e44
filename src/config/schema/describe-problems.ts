import {
  findNodeAtLocation,
  type JSONPath,
  type Node,
  type ParseError,
  printParseErrorCode,
} from 'jsonc-parser';
import { foreignKeys } from '../entry/foreign-keys.ts';
import type { KeyScope, Problem } from '../problem.ts';
import type { ConfigTree } from '../text/config-tree.ts';
import { keyPath } from '../text/key-path.ts';
import { nearest } from '../text/nearest.ts';
import { entryFields, fileFields, searchFields } from './schema.ts';

const MOST_SYNTAX_ERRORS = 5;

const SYNTAX_ERRORS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'is neither text in double quotes, number, true, false nor null',
  InvalidNumberFormat: 'is no number',
  PropertyNameExpected: 'a key in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing } is expected',
  CloseBracketExpected: 'a closing ] is expected',
  EndOfFileExpected: 'the file should end',
  InvalidCommentToken: 'a comment is not allowed',
  UnexpectedEndOfComment: 'a comment is not closed by */',
  UnexpectedEndOfString: 'text is not closed by a double quote',
  UnexpectedEndOfNumber: 'a number breaks off',
  InvalidUnicode: 'a \\u needs four hexadecimal digits',
  InvalidEscapeCharacter: 'a backslash in text is written \\\\',
  InvalidCharacter: 'a control character in text must be escaped',
};

const FIELDS: Readonly<Record<KeyScope, object>> = {
  file: fileFields,
  search: searchFields,
  entry: entryFields,
};

/** Other names for the object of servers, in files of other clients. */
const SERVER_OBJECTS = ['context_servers', 'mcp', 'mcp_servers', 'extensions'];

export function describeSyntaxErrors(file: string, text: string, errors: readonly ParseError[]): string {
  // One slip makes the parser complain several times about the same line, and lose count of the braces.
  const [first, ...later] = errors;
  const telling = later.filter(({ error }) => printParseErrorCode(error) !== 'EndOfFileExpected');
  const shown = first === undefined ? [] : [first, ...telling];
  const perLine = new Map(shown.toReversed().map((error) => [position(text, error.offset).line, error]));
  const lines = [...perLine.values()].toReversed().map((error) => {
    const { line, column } = position(text, error.offset);
    return `line ${line}, column ${column}: ${SYNTAX_ERRORS[printParseErrorCode(error.error)] ?? 'is not JSON'}`;
  });
  return withHeading(`${file} is not valid JSON`, lines.slice(0, MOST_SYNTAX_ERRORS));
}

export function describeProblems(content: ConfigTree, problems: readonly Problem[]): string {
  const { file, text, root } = content;
  if (root === undefined) return `${file} is empty; it must be an object, {"servers": …}`;
  const placed = problems.map((problem) => ({
    problem,
    node: findNodeAtLocation(root, problem.path as JSONPath),
  }));
  placed.sort((one, other) => keyOffset(one.node) - keyOffset(other.node));
  const lines = placed.map(({ problem, node }) => {
    const what = 'message' in problem ? problem.message : `is no key toolsift knows${hint(problem, node)}`;
    if (problem.path.length === 0) return `the file ${what}`;
    return `line ${position(text, keyOffset(node)).line}, "${keyPath(problem.path)}" ${what}`;
  });
  return withHeading(`${file} cannot be used`, lines);
}

function hint(problem: Problem & { unknownKeyIn: KeyScope }, node: Node | undefined): string {
  const key = String(problem.path.at(-1));
  const scope = problem.unknownKeyIn;
  if (scope === 'file' && SERVER_OBJECTS.includes(key)) return '; did you mean "servers"?';
  if (scope === 'file' && isEntry(node)) return '; an entry of a server stands inside "servers"';
  const own = Object.keys(FIELDS[scope]);
  const foreign = scope === 'entry' ? foreignKeys() : [];
  const guess = nearest(key, [...own, ...foreign.map((other) => other.key)]);
  if (guess === undefined) return `; known are ${own.join(', ')}`;
  return `; did you mean "${foreign.find((other) => other.key === guess)?.own ?? guess}"?`;
}

function isEntry(node: Node | undefined): boolean {
  return (
    node?.type === 'object' && ['command', 'url'].some((key) => findNodeAtLocation(node, [key]) !== undefined)
  );
}

function keyOffset(node: Node | undefined): number {
  return (node?.parent?.type === 'property' ? node.parent : node)?.offset ?? 0;
}

function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function withHeading(heading: string, lines: readonly string[]): string {
  return lines.length === 1
    ? `${heading}: ${lines[0]}`
    : `${heading}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

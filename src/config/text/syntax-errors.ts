import { type ParseError, printParseErrorCode } from 'jsonc-parser';
import { positionsIn } from './position.ts';
import { withHeading } from './with-heading.ts';

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

export function describeSyntaxErrors(file: string, text: string, errors: readonly ParseError[]): string {
  // One slip makes the parser complain several times about the same line, and lose count of the braces.
  const [first, ...later] = errors;
  const telling = later.filter(({ error }) => printParseErrorCode(error) !== 'EndOfFileExpected');
  const shown = first === undefined ? [] : [first, ...telling];
  const positionOf = positionsIn(text);
  const perLine = new Map(shown.toReversed().map((error) => [positionOf(error.offset).line, error]));
  const lines = [...perLine.values()].toReversed().map((error) => {
    const { line, column } = positionOf(error.offset);
    return `line ${line}, column ${column}: ${SYNTAX_ERRORS[printParseErrorCode(error.error)] ?? 'is not JSON'}`;
  });
  return withHeading(`${file} is not valid JSON`, lines.slice(0, MOST_SYNTAX_ERRORS));
}

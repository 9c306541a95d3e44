import { ToolsiftError } from '../../errors.ts';

/** Far more than any configuration has, far less than any parser takes. */
export const MAX_DEPTH = 100;

export function tooDeep(file: string): ToolsiftError {
  return new ToolsiftError(
    'config_invalid',
    `${file} is nested more than ${MAX_DEPTH} levels deep, which no configuration is; write it anew`,
  );
}

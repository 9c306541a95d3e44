import { expect, test } from 'vitest';
import { InvalidJson } from '../../src/json/invalid-json.ts';

test('invalid JSON is told where it is, and costs no stack', () => {
  const limit = Error.stackTraceLimit;
  const error = new InvalidJson(7);
  expect(error.message).toBe('not valid JSON at byte 7');
  expect(error.stack ?? '').not.toContain('\n    at ');
  expect(Error.stackTraceLimit).toBe(limit);
  expect(new Error('another').stack).toContain('\n    at ');
});

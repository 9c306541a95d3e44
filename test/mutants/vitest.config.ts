import { defineConfig } from 'vitest/config';

/** The tests that mutants have to pass: those beside the mutated folder, none of which needs the built program. */
const folder = process.env.MUTANTS_TESTS ?? 'test';

export default defineConfig({
  test: {
    include: [`${folder}/**/*.test.ts`],
    exclude: ['test/e2e/**', 'test/conformance/**', 'test/fuzz/**', 'test/examples/**', '**/hostile.test.ts'],
    testTimeout: 20_000,
  },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The official conformance suite takes a minute: `npm run test:conformance`.
    exclude: process.env.CONFORMANCE === undefined ? ['test/conformance/**'] : [],
    globalSetup: ['test/helpers/build-once.ts'],
    testTimeout: 20_000,
    // Most end-to-end tests wait for processes more than they compute.
    maxWorkers: 4,
    // For scripts that count tests.
    reporters: process.env.TEST_REPORT
      ? ['default', ['json', { outputFile: process.env.TEST_REPORT }]]
      : ['default'],
  },
});

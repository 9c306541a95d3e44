// Prints "PASSED FAILED" from vitest's JSON report. Tests that were skipped are named.
import { readFileSync } from 'node:fs';

const { testResults, numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(
  readFileSync(process.argv[2], 'utf8'),
);
for (const { assertionResults } of testResults) {
  for (const { status, fullName } of assertionResults) {
    if (status !== 'passed' && status !== 'failed') console.error(`${status}: ${fullName}`);
  }
}
// A file that fails to load has no tests of its own to count.
const unloaded = testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
);
console.log(numPassedTests, numFailedTests + (numFailedTestSuites > 0 ? unloaded.length : 0));

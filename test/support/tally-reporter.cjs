/** Closes a run with one plain line that any program can read: `12 passed, 0 failed, 1 skipped`. */
module.exports = class TallyReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites }) {
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    console.log(`${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped`);
  }
};

import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { readTestSettings } from '#testing/engines/test-settings.ts';

/** Prints a last line `N passed, N failed, N skipped`, which CI reads, and appends it to CI's file of counts. */
class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      let hasFailedTest = false;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'pending') counts.skipped += 1;
        else counts[state] += 1;
        hasFailedTest ||= state === 'failed';
      }
      if (module.state() === 'failed' && !hasFailedTest) counts.failed += 1;
    }
    const { countsFile } = readTestSettings();
    if (countsFile !== null) appendFileSync(countsFile, `${counts.passed} ${counts.failed} ${counts.skipped}\n`);
    process.on('exit', () => {
      console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    });
  }
}

// Vitest requires a default export.
export { CountsReporter as default };

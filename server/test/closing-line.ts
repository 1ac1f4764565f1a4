import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with one plain line that any tool can read: `120 passed, 0 failed, 1 skipped`. */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++;
      // A file that cannot even be loaded has no tests to fail.
      count.failed += module.errors().length;
    }
    const { passed, failed, skipped, pending } = count;
    console.log(`${passed} passed, ${failed + pending} failed, ${skipped} skipped`);
  }
}

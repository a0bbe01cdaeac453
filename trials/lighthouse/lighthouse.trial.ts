import { describe, expect, it } from 'vitest';
import { readTestSettings } from '../../testing/engines/test-settings.ts';
import { runLighthouse } from './run-lighthouse.ts';

describe.skipIf(readTestSettings().browser === 'off')('Lighthouse', () => {
  const floor = 0.95;

  // Performance is a matter of times, which a busy machine changes: `npm run trials -- lighthouse` asks for that.
  it('gives the explorer, a record and the plans at least the floor in accessibility, best practices and search engine optimization', async ({
    skip,
  }) => {
    const measured = await runLighthouse({ records: 2_000, visits: 1 });
    if (measured === null) return skip('no browser');
    for (const { path, scores, faults } of measured) {
      const { performance, ...others } = scores;
      console.info(`${path}: performance ${Math.round(100 * performance)}`);
      expect(Math.min(...Object.values(others)), `${path}: ${faults.join('; ')}`).toBeGreaterThanOrEqual(floor);
    }
    expect(measured).toHaveLength(3);
  });
});

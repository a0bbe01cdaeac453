import { describe, expect, it } from 'vitest';
import { readTestSettings } from '../../test/support/engines/test-settings.ts';
import { isLong, ofForm } from '../../test/support/form.ts';
import { runLighthouse } from './run-lighthouse.ts';

describe.skipIf(readTestSettings().browser === 'off')('Lighthouse', () => {
  const floor = ofForm(0.95, 0.98);

  // Performance is a matter of times, which a busy machine changes: the long form asks for that.
  it('gives the explorer, a record and the plans at least the floor in accessibility, best practices and search engine optimization', async ({
    skip,
  }) => {
    const measured = await runLighthouse({ records: 2_000, visits: ofForm(1, 3) });
    if (measured === null) return skip('no browser');
    for (const { path, scores, faults } of measured) {
      const { performance, ...others } = scores;
      console.info(`${path}: performance ${Math.round(100 * performance)}`);
      expect(
        Math.min(...Object.values(isLong ? scores : others)),
        `${path}: ${faults.join('; ')}`,
      ).toBeGreaterThanOrEqual(floor);
    }
    expect(measured).toHaveLength(3);
  });
});

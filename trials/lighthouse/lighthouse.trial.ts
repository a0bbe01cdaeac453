import { describe, expect, it } from 'vitest';
import { readTestSettings } from '../../testing/engines/test-settings.ts';
import { floor, runLighthouse } from './run-lighthouse.ts';

describe.skipIf(readTestSettings().browser === 'off')('Lighthouse', () => {
  it('gives the explorer, a record and the plans at least the floor in every category', async ({ skip }) => {
    const measured = await runLighthouse({ records: 2_000, visits: 3 });
    if (measured === null) return skip('no browser');
    for (const { path, scores, faults } of measured) {
      for (const [category, score] of Object.entries(scores)) {
        expect(score, `${category} of ${path}: ${faults.join('; ')}`).toBeGreaterThanOrEqual(floor);
      }
    }
    expect(measured).toHaveLength(3);
  });
});

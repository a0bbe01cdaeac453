import { expect, it } from 'vitest';
import { isLong, ofForm } from '../../test/support/form.ts';
import { runSoak } from './run-soak.ts';

/* The long form runs for ten minutes, in which memory must not grow. */
it('under mixed load no request fails, and none that was accepted is lost when the process is told to stop', async () => {
  const plan = { records: ofForm(2_000, 20_000), seed: 1, seconds: ofForm(2, 600), capacitySeconds: ofForm(1, 20) };
  const { requests, errors, stop, memory } = await runSoak(plan, () => {});
  expect(errors).toEqual([]);
  expect(requests).toBeGreaterThan(0);
  if (isLong && memory !== null) expect(memory.late).toBeLessThan(1.1 * memory.early);
  expect(stop).toMatchObject({ exit: 0, lost: [] });
});

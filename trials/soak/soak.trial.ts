import { expect, it } from 'vitest';
import { runSoak } from './run-soak.ts';

/* `npm run soak` in seconds: too short to say anything of memory. */
it('under mixed load no request fails, and none that was accepted is lost when the process is told to stop', async () => {
  const plan = { backend: 'embedded', records: 2_000, seed: 1, seconds: 2, capacitySeconds: 1 } as const;
  const { requests, errors, stop } = await runSoak(plan, () => {});
  expect(errors).toEqual([]);
  expect(requests).toBeGreaterThan(0);
  expect(stop).toMatchObject({ exit: 0, lost: [] });
});

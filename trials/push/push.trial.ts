import { expect, it } from 'vitest';
import { runPush } from './run-push.ts';

it('pushes every lead once while the tools refuse, reset, are late and fail', async () => {
  expect(await runPush({ leads: 1_500, seed: 1 })).toMatchObject({ faults: [], tools: [{}, {}] });
});

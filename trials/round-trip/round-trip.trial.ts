import { expect, it } from 'vitest';
import { runRoundTrip } from './run-round-trip.ts';

it.each(['ndjson', 'csv'] as const)('an import of an export as %s changes nothing', async (format) => {
  const { summary } = await runRoundTrip({ count: 3_000, format });
  expect(summary).toMatchObject({ read: 3_000, unchanged: 3_000, created: 0, updated: 0, rejected: 0 });
});

import { expect, it } from 'vitest';
import { SyncPulse } from '#indexer/syncing/sync-pulse.ts';

it('a sync is ready from its first batch on, while batches keep coming', () => {
  let now = 1_000;
  const pulse = new SyncPulse(() => now);
  expect(pulse.listMissing()).toEqual(['up-to-date index: the sync does not follow the records yet']);
  pulse.beat();
  now += 30_000;
  expect(pulse.listMissing()).toEqual([]);
  now += 1_000;
  expect(pulse.listMissing()).toEqual(['up-to-date index: nothing has reached it for 31 seconds']);
  pulse.beat();
  expect(pulse.listMissing()).toEqual([]);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPurchaseTrials, type PurchaseTrials } from './purchase-trials.ts';

/* The short form; `npm run trials -- purchase` has the long one. */
describe.each(['embedded', 'mongodb'] as const)('a purchase, with API processes on %s', (kind) => {
  let folder: string;
  let trials: PurchaseTrials | null;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'masthead-purchase-'));
    trials = await openPurchaseTrials(kind, folder);
  });
  afterAll(async () => {
    await trials?.close();
    await rm(folder, { recursive: true });
  });

  it('leaves one working chain of keys, and every paid day, wherever the processes are killed while many rotate and renew it at once', async ({
    skip,
  }) => {
    if (trials === null) return skip('there is no MongoDB');
    const report = await trials.rotate({ kills: 2, rotations: 40, renewals: 15, seed: Date.now() });
    expect(report.faults).toEqual([]);
    expect(report).toMatchObject({ renewed: 30, refunded: 10 });
    expect(report.answered + report.lost).toBe(80);
  });

  it('gives its key to exactly one of 200 simultaneous readers', async ({ skip }) => {
    if (trials === null) return skip('there is no MongoDB');
    for (const race of await trials.race({ repetitions: 2, readers: 200 })) {
      expect(race).toEqual({ answers: 200, keys: 1, works: true });
    }
  });

  it('ends with exactly one working key, wherever the process is killed between checkout and claim', async ({
    skip,
  }) => {
    if (trials === null) return skip('there is no MongoDB');
    const report = await trials.kill({ kills: 3, buyers: 8, seed: Date.now() });
    expect(report.faults).toEqual([]);
    expect(report.purchases).toBe(24);
  });
});

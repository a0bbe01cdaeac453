import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ofForm } from '../../test/support/form.ts';
import { seed } from '../../test/support/seed.ts';
import { openPurchaseTrials, type PurchaseTrials } from './purchase-trials.ts';

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
    const [kills, rotations, renewals] = ofForm([2, 40, 15], [20, 140, 60]) as [number, number, number];
    const report = await trials.rotate({ kills, rotations, renewals, seed });
    expect(report.faults).toEqual([]);
    expect(report).toMatchObject({ renewed: 2 * renewals, refunded: (2 * renewals) / 3 });
    expect(report.answered + report.lost).toBe(2 * rotations);
  });

  it('gives its key to exactly one of 200 simultaneous readers', async ({ skip }) => {
    if (trials === null) return skip('there is no MongoDB');
    for (const race of await trials.race({ repetitions: ofForm(2, 20), readers: 200 })) {
      expect(race).toEqual({ answers: 200, keys: 1, works: true });
    }
  });

  it('ends with exactly one working key, wherever the process is killed between checkout and claim', async ({
    skip,
  }) => {
    if (trials === null) return skip('there is no MongoDB');
    const kills = ofForm(3, 50);
    const report = await trials.kill({ kills, buyers: 8, seed });
    expect(report.faults).toEqual([]);
    expect(report.purchases).toBe(8 * kills);
  });
});

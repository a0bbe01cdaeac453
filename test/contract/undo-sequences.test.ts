import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { undoChanges } from '#indexer/records/undo-changes.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { type TestStores, testStores } from '#testing/backends.ts';
import { type ChangeStep, changeSteps } from '#testing/change-steps.ts';
import { clearRecords } from '#testing/clear-records.ts';
import { ofForm } from '#testing/form.ts';
import { madeRecord } from '#testing/made-record.ts';
import { checkOf, RecordModel, type RecordState, withTimes } from '#testing/record-model.ts';

const ids = ['1', '2', '3', '4'];
const sequences = { seed: 20, numRuns: ofForm(8, 500) };
const cutOff = 'cut off here';

describe.each(testStores)('sequences of imports, deletions, merges, checks and undos, $name', ({ open }) => {
  let stores: TestStores;
  let count = 0;
  beforeAll(async () => {
    stores = await open();
  });
  afterAll(() => stores.close());

  /** A store with two records, and its model. */
  async function start(): Promise<RecordModel> {
    await clearRecords(stores, ids);
    await stores.records.merge([
      madeRecord({ id: '1', name: 'The Herald', country: 'GB', city: 'Leeds', email: 'desk@herald.example' }),
      madeRecord({ id: '2', name: 'The Post', type: 'radio', phone: '+44 113 000' }),
    ]);
    return new RecordModel(await readState());
  }

  async function readState(): Promise<RecordState> {
    const found = await Promise.all(ids.map((id) => stores.records.find(id)));
    return new Map(
      found.filter((record): record is MediaRecord => record !== null).map((record) => [record.id, record]),
    );
  }

  /** Does a step in the store and in the model, and compares both. */
  async function take(model: RecordModel, step: ChangeStep): Promise<void> {
    if (step.is === 'undo') return undo(model, step);
    count += 1;
    const id = `s${count}`;
    const startedAt = new Date(Date.UTC(2026, 0, 1) + count).toISOString();
    await stores.changes.begin({ id, action: step.is, operator: 'ada', startedAt, undoes: null });
    const expected = await work(model, step, id);
    if (!step.cut) await stores.changes.end(id, { endedAt: new Date().toISOString(), counts: {}, files: [] });
    const actual = await readState();
    expect(actual).toEqual(withTimes(expected, actual));
    model.note({ id, undoes: null, isComplete: false }, actual, step.is === 'merge' ? step : null);
  }

  /** Does the whole of a step, or a part where it is cut off; returns what the model expects. */
  async function work(model: RecordModel, step: Exclude<ChangeStep, { is: 'undo' }>, id: string): Promise<RecordState> {
    const { records } = stores;
    switch (step.is) {
      case 'merge': {
        const expected = model.merging(step.keep, step.drop);
        if (step.keep !== step.drop) await records.mergeDuplicates(step.keep, [step.drop], id);
        return expected;
      }
      case 'check-emails': {
        const checked = step.cut ? ids.slice(0, 2) : ids;
        await records.amend(checked, checkOf(step.finding), id);
        return model.checking(checked, step.finding);
      }
      case 'delete': {
        const deleted = step.ids.slice(0, step.cut ? 1 : 2);
        await records.remove(deleted, id);
        return model.deleting(deleted);
      }
      case 'import': {
        const rows = step.rows.slice(0, step.cut ? 2 : 6);
        const half = Math.ceil(rows.length / 2);
        const batches = [rows.slice(0, half), rows.slice(half)];
        for (const batch of batches) await records.merge(batch, id);
        return batches.reduce((state, batch) => model.importing(batch, state), model.records);
      }
    }
  }

  async function undo(model: RecordModel, { back, cut }: { back: number; cut: boolean }): Promise<void> {
    const set = model.sets.at(-1 - back);
    if (set === undefined) return;
    const undone = await stores.changes.find(set.id);
    if (undone === null) throw new Error(`the log lost ${set.id}`);
    const deps = { ...stores, operator: 'ada' };
    const earlier = model.undoOf(set.id);
    const { state: expected, isComplete } = earlier?.isComplete
      ? { state: model.records, isComplete: true }
      : model.undoing(set);
    const foreseen = await undoChanges(deps, undone, { dryRun: true });
    expect(await readState()).toEqual(model.records);
    expect(foreseen).toMatchObject({
      is_already_undone: earlier?.isComplete ?? false,
      kept: isComplete ? 0 : expect.any(Number),
    });
    const onProgress = () => {
      if (cut) throw new Error(cutOff);
    };
    const id = await undoChanges(deps, undone, { onProgress }).then(
      (summary) => summary.id,
      (error: Error) => {
        if (error.message !== cutOff) throw error;
        return null;
      },
    );
    const actual = await readState();
    expect(actual).toEqual(withTimes(expected, actual));
    const latest = (await stores.changes.list()).find(({ undoes }) => undoes === set.id);
    const undoing = id ?? earlier?.id ?? latest?.id;
    if (undoing === undefined || earlier?.isComplete) return;
    model.note({ id: undoing, undoes: set.id, isComplete: isComplete && id !== null }, actual);
  }

  it('end as a model in memory says', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(changeSteps(), async (steps) => {
        const model = await start();
        for (const step of steps) {
          await take(model, step);
          const leads = ids.filter((id) => model.follow(id) !== id).map((id) => [id, model.follow(id)]);
          expect([...(await stores.mergedIds.resolve(ids))]).toEqual(leads);
        }
      }),
      sequences,
    );
  });

  it('leave no trace in the records once everything is undone, the last first', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(changeSteps(['import', 'delete', 'merge', 'check-emails']), async (steps) => {
        const model = await start();
        const before = await readState();
        for (const step of steps) await take(model, step);
        for (const { id } of model.sets.toReversed()) {
          const undone = await stores.changes.find(id);
          if (undone) expect(await undoChanges({ ...stores, operator: 'ada' }, undone)).toMatchObject({ kept: 0 });
        }
        expect(await readState()).toEqual(before);
        expect((await stores.mergedIds.resolve(ids)).size).toBe(0);
      }),
      sequences,
    );
  });
});

import type { Finding } from '../../indexer/records/assess-address.ts';
import { doRecorded } from '../../indexer/records/do-recorded.ts';
import { undoChanges } from '../../indexer/records/undo-changes.ts';
import { openEmbedded } from '../../src/backends/embedded/open-embedded.ts';
import { openMongo } from '../../src/backends/mongo/open-mongo.ts';
import type { ChangeAction } from '../../src/records/changes/change-set.ts';
import type { MediaRecord, RecordPatch } from '../../src/records/media-record.ts';
import { clearRecords } from '../../test/support/clear-records.ts';
import { checkOf } from '../../test/support/record-model.ts';

/*
 * A process that imports, deletes, merges, checks addresses and undoes in a store, until it is killed. Takes its place as an argument: a data
 * folder, or the URI of a MongoDB.
 */

export type Order =
  | { is: 'import'; rows: RecordPatch[] }
  | { is: 'delete'; ids: string[] }
  | { is: 'merge'; keep: string; drop: string }
  | { is: 'check-emails'; ids: string[]; finding: Finding }
  | { is: 'undo'; set: string }
  | { is: 'start'; ids: string[]; records: MediaRecord[] }
  | { is: 'read'; ids: string[] };

export interface Answer {
  /** The change set of the order; null without one, or where nothing was left to undo. */
  set: string | null;
  records: MediaRecord[];
  /** The latest change sets, the newest first, and whether each is an undo that left nothing to do. */
  sets: { id: string; isComplete: boolean }[];
  error?: string;
}

const [place = ''] = process.argv.slice(2);
const stores = place.startsWith('mongodb')
  ? await openMongo({ uri: place, logLine: () => {}, timeoutMs: 30_000 })
  : openEmbedded({ dataDir: place, logLine: () => {} });
const { records, changes } = stores;
if ('whenPrepared' in stores) await stores.whenPrepared();
const deps = { ...stores, operator: 'trial' };
const noCounts = { count: () => ({}), describe: () => 'done', subjects: ['trial'] };

/** Returns the change set of the order; null without one. Each record has a transaction, so that kills come between two. */
async function work(order: Order): Promise<string | null> {
  const record = (action: ChangeAction, steps: ((set: string) => Promise<unknown>)[]) => {
    const one = async (set: string) => {
      for (const step of steps) await step(set);
      return set;
    };
    return doRecorded(deps, { action, work: one, ...noCounts });
  };
  switch (order.is) {
    case 'start':
      await clearRecords(stores, order.ids);
      await records.merge(order.records);
      return null;
    case 'read':
      return null;
    case 'import':
      return record(
        'import',
        order.rows.map((row) => (set) => records.merge([row], set)),
      );
    case 'delete':
      return record(
        'delete',
        order.ids.map((id) => (set) => records.remove([id], set)),
      );
    case 'merge':
      return record('merge', [(set) => records.mergeDuplicates(order.keep, [order.drop], set)]);
    case 'check-emails':
      return record(
        'check-emails',
        order.ids.map((id) => (set) => records.amend([id], checkOf(order.finding), set)),
      );
    case 'undo': {
      const undone = await changes.find(order.set);
      if (undone === null) throw new Error(`the log lost ${order.set}`);
      const { id, is_already_undone } = await undoChanges(deps, undone);
      return is_already_undone ? null : id;
    }
  }
}

async function answer(order: Order, ids: readonly string[]): Promise<Answer> {
  const set = await work(order);
  const found = await Promise.all(ids.map((id) => records.find(id)));
  const sets = (await changes.list(20)).map(({ id, endedAt, counts }) => ({
    id,
    isComplete: endedAt !== null && counts.kept === 0,
  }));
  return { set, records: found.filter((record) => record !== null), sets };
}

process.on('message', async ({ order, ids }: { order: Order; ids: string[] }) => {
  const failed = (error: Error) => ({ set: null, records: [], sets: [], error: error.stack ?? error.message });
  process.send?.(await answer(order, ids).catch(failed));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

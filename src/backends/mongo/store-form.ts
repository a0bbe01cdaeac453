import type { Collection, Db, Timestamp } from 'mongodb';

/** The number of the form of this version: that of the last step in store-migrations.ts. */
export const storeForm = 4;

export interface FormDocument {
  /** `upgrade`: the process that upgrades the store, and until when nobody else may; whether it replaces collections now. */
  _id: 'form' | 'upgrade';
  number?: number;
  /** When the store was upgraded from a version that did not date records, as long as some are not dated. */
  undated_since?: { change: Timestamp; at: Date };
  by?: string;
  until?: Date;
  isReplacing?: boolean;
}

/** The moment of an upgrade: records without dates that nothing has changed since are of an earlier version. */
export interface Undated {
  /** In the history of the records, as that of a change. */
  version: bigint;
  at: Date;
}

/** `undated_since` for an update with the moment of this very update. */
export const undatedSinceNow = { change: '$$CLUSTER_TIME', at: '$$NOW' };

export function formsOf(db: Db): Collection<FormDocument> {
  return db.collection<FormDocument>('store_form');
}

/** null if all records are dated; undefined before the store has this version's form. */
export async function readUndated(db: Db): Promise<Undated | null | undefined> {
  const { number, undated_since: since } = (await formsOf(db).findOne({ _id: 'form' })) ?? {};
  if (since !== undefined) return { version: since.change.toBigInt(), at: since.at };
  return number === storeForm ? null : undefined;
}

import type { AnyBulkWriteOperation, ClientSession, Collection } from 'mongodb';
import {
  describeChange,
  extendChange,
  type RecordChange,
  sizeOfChange,
  type Transition,
} from '#records/changes/record-change.ts';

export interface ChangeSetDocument {
  _id: string;
  action: string;
  operator: string;
  started_at: string;
  ended_at: string | null;
  undoes: string | null;
  files: object[];
  counts: Record<string, number>;
  changes: number;
  bytes: number;
  /** The last step that changed records; absent before. */
  last_step?: string;
}

/** A change; its id is that of its change set, a space, and that of the record, so that each pair has one. */
export interface ChangeDocument {
  _id: string;
  record_id: string;
  at: Date;
  /** RecordChange without the record's id. */
  change: object;
}

/** The key of a change. */
export function changeKey(changeSet: string, recordId: string): string {
  return `${changeSet} ${recordId}`;
}

/** The change set of a change. */
export function changeSetOf({ _id }: Pick<ChangeDocument, '_id'>): string {
  return _id.slice(0, _id.indexOf(' '));
}

/** Writes the changes of a change set in the transaction in which the records change. */
export class MongoChangeWriter {
  readonly #changeSets: Collection<ChangeSetDocument>;
  readonly #changes: Collection<ChangeDocument>;

  constructor(changeSets: Collection<ChangeSetDocument>, changes: Collection<ChangeDocument>) {
    this.#changeSets = changeSets;
    this.#changes = changes;
  }

  /** Notes what became of records, each at most once here; what one change set does to a record stays one change. */
  async write(
    changeSet: string,
    transitions: readonly Transition[],
    { at, session, step }: { at: Date; session: ClientSession; step: string },
  ): Promise<void> {
    if (transitions.length === 0) return;
    const added = { changes: 0, bytes: 0 };
    const count = (change: RecordChange, sign: 1 | -1) => {
      added.changes += sign;
      added.bytes += sign * sizeOfChange(change);
    };
    const earlier = await this.#findEarlier(changeSet, transitions, session);
    const writes = transitions.flatMap((transition): AnyBulkWriteOperation<ChangeDocument>[] => {
      const before = earlier.get(transition.id);
      const change = before ? extendChange(before, transition) : describeChange(transition);
      if (before) count(before, -1);
      if (change) count(change, 1);
      const _id = changeKey(changeSet, transition.id);
      if (change === null) return before ? [{ deleteOne: { filter: { _id } } }] : [];
      const { id: record_id, ...body } = change;
      if (before) return [{ updateOne: { filter: { _id }, update: { $set: { at, change: body } } } }];
      return [{ insertOne: { document: { _id, record_id, at, change: body } } }];
    });
    if (writes.length === 0) return;
    const options = { session, ordered: false };
    await this.#changes.bulkWrite(writes, options);
    const update = { $inc: added, $set: { last_step: step } };
    const { matchedCount } = await this.#changeSets.updateOne({ _id: changeSet }, update, { session });
    if (matchedCount === 0) throw new Error(`the change log has no change set ${changeSet}`);
  }

  /** Whether this step was the last one that changed records under the change set. */
  async isLastStep(changeSet: string, step: string, session: ClientSession): Promise<boolean> {
    return (await this.#changeSets.findOne({ _id: changeSet, last_step: step }, { session })) !== null;
  }

  async #findEarlier(
    changeSet: string,
    transitions: readonly Transition[],
    session: ClientSession,
  ): Promise<Map<string, RecordChange>> {
    const keys = transitions.map(({ id }) => changeKey(changeSet, id));
    const options = { session, batchSize: keys.length + 1 };
    const found = await this.#changes.find({ _id: { $in: keys } }, options).toArray();
    return new Map(found.map((document) => [document.record_id, readRecordChange(document)]));
  }
}

export function readRecordChange({ record_id, change }: ChangeDocument): RecordChange {
  return { id: record_id, ...change } as RecordChange;
}

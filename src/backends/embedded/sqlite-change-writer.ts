import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  describeChange,
  extendChange,
  type RecordChange,
  sizeOfChange,
  type Transition,
} from '#records/changes/record-change.ts';

/** Writes the changes of a change set in the transaction in which the records change. */
export class SqliteChangeWriter {
  readonly #findSet: StatementSync;
  readonly #insert: StatementSync;
  readonly #find: StatementSync;
  readonly #update: StatementSync;
  readonly #delete: StatementSync;
  readonly #count: StatementSync;

  constructor(database: DatabaseSync) {
    this.#findSet = database.prepare('SELECT number FROM change_sets WHERE id = ?');
    this.#insert = database.prepare(
      'INSERT INTO changes (change_set, record_id, at, body) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#find = database.prepare('SELECT change, body FROM changes WHERE record_id = ? AND change_set = ?');
    this.#update = database.prepare('UPDATE changes SET at = ?, body = ? WHERE change = ?');
    this.#delete = database.prepare('DELETE FROM changes WHERE change = ?');
    this.#count = database.prepare('UPDATE change_sets SET changes = changes + ?, bytes = bytes + ? WHERE number = ?');
  }

  /** Notes what became of records; what one change set does to a record stays one change. */
  write(changeSet: string, transitions: readonly Transition[], at: Date): void {
    if (transitions.length === 0) return;
    const number = this.#findSet.get(changeSet)?.number;
    if (number === undefined) throw new Error(`the change log has no change set ${changeSet}`);
    const added = { changes: 0, bytes: 0 };
    const count = (change: RecordChange, sign: 1 | -1) => {
      added.changes += sign;
      added.bytes += sign * sizeOfChange(change);
    };
    for (const transition of transitions) {
      const change = describeChange(transition);
      if (change === null) continue;
      const { id, ...body } = change;
      if (this.#insert.run(number, id, at.getTime(), JSON.stringify(body)).changes === 1) {
        count(change, 1);
        continue;
      }
      const row = this.#find.get(id, number);
      if (row === undefined) throw new Error('a change could be neither added nor found');
      const earlier: RecordChange = { id, ...JSON.parse(String(row.body)) };
      const extended = extendChange(earlier, transition);
      count(earlier, -1);
      if (extended === null) this.#delete.run(row.change as number);
      else {
        const { id: _, ...together } = extended;
        this.#update.run(at.getTime(), JSON.stringify(together), row.change as number);
        count(extended, 1);
      }
    }
    this.#count.run(added.changes, added.bytes, number as number);
  }
}

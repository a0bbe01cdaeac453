import type { ChangeSet, NewChangeSet } from '#records/changes/change-set.ts';
import {
  type LoggedChange,
  planLog,
  planRewrite,
  type RecordChange,
  type RewriteChange,
  readStoredChange,
  type Transition,
} from '#records/changes/record-change.ts';
import { type ChangeLog, changesAPage } from '#records/record-store.ts';
import { insertion, SqliteStore, selectAll } from '../sqlite-store.ts';

interface ChangeSetRow extends Omit<ChangeSet, 'files' | 'counts'> {
  files: string;
  counts: string;
}

interface ChangeRow {
  change: number;
  changeSet: string;
  recordId: string;
  at: number;
  body: string;
}

const selectSet =
  'SELECT id, action, operator, started_at, ended_at, undoes, files, counts, changes, bytes FROM change_sets';
const selectChange = `SELECT c.change, s.id AS change_set, c.record_id, c.at, c.body
  FROM changes AS c JOIN change_sets AS s ON s.number = c.change_set`;

export class SqliteChangeLog extends SqliteStore implements ChangeLog {
  async begin({ id, action, operator, startedAt, undoes }: NewChangeSet): Promise<void> {
    const insert = insertion('change_sets', ['id', 'action', 'operator', 'started_at', 'undoes']);
    await this.run(insert, id, action, operator, startedAt, undoes);
  }

  async end(id: string, { endedAt, files, counts }: Parameters<ChangeLog['end']>[1]): Promise<void> {
    const update = 'UPDATE change_sets SET ended_at = ?, files = ?, counts = ? WHERE id = ?';
    await this.run(update, endedAt, JSON.stringify(files), JSON.stringify(counts), id);
  }

  async find(id: string): Promise<ChangeSet | null> {
    return (await this.#list('WHERE id = ?', id))[0] ?? null;
  }

  list(limit = -1): Promise<ChangeSet[]> {
    return this.#list('ORDER BY number DESC LIMIT ?', limit);
  }

  async #list(rest: string, value: string | number): Promise<ChangeSet[]> {
    const rows = await this.all<ChangeSetRow>(`${selectSet} ${rest}`, value);
    return rows.map(({ files, counts, ...set }) => ({ ...set, files: JSON.parse(files), counts: JSON.parse(counts) }));
  }

  async *readChanges(id: string): AsyncGenerator<LoggedChange[]> {
    const page = `${selectChange} WHERE s.id = ? AND c.change > ? ORDER BY c.change LIMIT ${changesAPage}`;
    for (let last = 0; ; ) {
      const rows = await this.all<ChangeRow>(page, id, last);
      if (rows.length === 0) return;
      yield rows.map(readChange);
      last = rows.at(-1)?.change ?? last;
    }
  }

  async listChangesOf(recordId: string, limit: number): Promise<LoggedChange[]> {
    const newestFirst = `${selectChange} WHERE c.record_id = ? ORDER BY c.at DESC, c.change DESC LIMIT ?`;
    return (await this.all<ChangeRow>(newestFirst, recordId, limit)).map(readChange);
  }

  /** Notes what became of records, in the transaction that changes them. A change set keeps one change for each record. */
  write(changeSet: string, transitions: readonly Transition[], at: Date): void {
    if (transitions.length === 0) return;
    const number = this.database.prepare('SELECT number FROM change_sets WHERE id = ?').get(changeSet)?.number ?? null;
    if (number === null) throw new Error(`the change log has no change set ${changeSet}`);
    const ids = JSON.stringify(transitions.map(({ id }) => id));
    const select =
      'SELECT record_id, body FROM changes WHERE change_set = ? AND record_id IN (SELECT value FROM json_each(?))';
    const storedRows = selectAll<ChangeRow>(this.database, select, Number(number), ids);
    const earlier = new Map(storedRows.map(({ recordId, body }) => [recordId, readBody(recordId, body)]));
    const { saved, dropped, added } = planLog(transitions, earlier);
    const save = this.database.prepare(
      `INSERT INTO changes (change_set, record_id, at, body) VALUES (?, ?, ?, ?)
       ON CONFLICT (record_id, change_set) DO UPDATE SET at = excluded.at, body = excluded.body`,
    );
    for (const { id, ...body } of saved) save.run(number, id, at.getTime(), JSON.stringify(body));
    const remove = this.database.prepare('DELETE FROM changes WHERE record_id = ? AND change_set = ?');
    for (const id of dropped) remove.run(id, number);
    this.#grow(Number(number), added);
  }

  async rewrite(recordIds: readonly string[], rewrite: RewriteChange): Promise<void> {
    const page = `SELECT change, change_set AS number, record_id, body FROM changes
      WHERE record_id IN (SELECT value FROM json_each(?)) AND change > ? ORDER BY change LIMIT ${changesAPage}`;
    const ids = JSON.stringify(recordIds);
    for (let last = 0; ; ) {
      const rows = await this.transact(() => {
        const onPage = selectAll<ChangeRow & { number: number }>(this.database, page, ids, last);
        for (const row of onPage) this.#rewriteOne(row, rewrite);
        return onPage;
      });
      if (rows.length === 0) return;
      last = rows.at(-1)?.change ?? last;
    }
  }

  #rewriteOne({ change, number, recordId, body }: ChangeRow & { number: number }, rewrite: RewriteChange): void {
    const plan = planRewrite({ id: recordId, ...JSON.parse(body) }, rewrite);
    if (plan === null) return;
    this.#grow(number, plan.added);
    if (plan.saved === null) return void this.database.prepare('DELETE FROM changes WHERE change = ?').run(change);
    const { id: _, ...saved } = plan.saved;
    this.database.prepare('UPDATE changes SET body = ? WHERE change = ?').run(JSON.stringify(saved), change);
  }

  #grow(number: number, { changes, bytes }: { changes: number; bytes: number }): void {
    this.database
      .prepare('UPDATE change_sets SET changes = changes + ?, bytes = bytes + ? WHERE number = ?')
      .run(changes, bytes, number);
  }

  async remove(id: string): Promise<void> {
    const removePage = `DELETE FROM changes WHERE change IN (
      SELECT c.change FROM changes AS c JOIN change_sets AS s ON s.number = c.change_set WHERE s.id = ? LIMIT ${changesAPage})`;
    while ((await this.run(removePage, id)) > 0);
    await this.run('DELETE FROM change_sets WHERE id = ?', id);
  }
}

function readChange({ changeSet, recordId, at, body }: ChangeRow): LoggedChange {
  return { changeSet, at: new Date(at).toISOString(), ...readBody(recordId, body) };
}

function readBody(id: string, body: string): RecordChange {
  return readStoredChange({ id, ...JSON.parse(body) });
}

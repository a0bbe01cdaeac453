import type { DatabaseSync } from 'node:sqlite';
import type { DeadLetter, DeadLetters } from '#ports/dead-letters.ts';
import { transact } from './database.ts';
import { runOnStore } from './sqlite-errors.ts';

const scanBatch = 1_000;

export class SqliteDeadLetters implements DeadLetters {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async save(letters: readonly DeadLetter[], at: Date): Promise<void> {
    if (letters.length === 0) return;
    await runOnStore(() => {
      const save = this.#database.prepare('REPLACE INTO dead_letters (id, reason, at) VALUES (?, ?, ?)');
      transact(this.#database, () => {
        for (const { id, reason } of letters) save.run(id, reason, at.toISOString());
      });
    });
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await runOnStore(() => {
      const remove = this.#database.prepare('DELETE FROM dead_letters WHERE id = ?');
      transact(this.#database, () => {
        for (const id of ids) remove.run(id);
      });
    });
  }

  async removeBefore(at: Date): Promise<void> {
    await runOnStore(() => this.#database.prepare('DELETE FROM dead_letters WHERE at < ?').run(at.toISOString()));
  }

  async findAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return runOnStore(() => {
      const find = this.#database.prepare('SELECT 1 FROM dead_letters WHERE id = ?');
      return new Set(ids.filter((id) => find.get(id) !== undefined));
    });
  }

  async count(): Promise<number> {
    return runOnStore(() => Number(this.#database.prepare('SELECT count(*) AS count FROM dead_letters').get()?.count));
  }

  async *scan(): AsyncIterable<DeadLetter & { at: string }> {
    const next = this.#database.prepare('SELECT id, reason, at FROM dead_letters WHERE id > ? ORDER BY id LIMIT ?');
    for (let last: string | null = ''; last !== null; ) {
      const after: string = last;
      const rows = await runOnStore(() => next.all(after, scanBatch));
      for (const { id, reason, at } of rows) yield { id: String(id), reason: String(reason), at: String(at) };
      last = rows.length < scanBatch ? null : String(rows.at(-1)?.id);
    }
  }
}

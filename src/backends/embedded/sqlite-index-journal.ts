import type { DatabaseSync } from 'node:sqlite';
import type { GenerationState, IndexJournal } from '#ports/index-journal.ts';
import { runOnStore } from './sqlite-errors.ts';

export class SqliteIndexJournal implements IndexJournal {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async find(index: string): Promise<GenerationState | null> {
    return runOnStore(() => {
      const select = this.#database.prepare('SELECT * FROM index_journal WHERE name = ?');
      select.setReadBigInts(true);
      const found = select.get(index);
      if (found === undefined) return null;
      return {
        index,
        identity: String(found.identity),
        isComplete: found.is_complete === 1n,
        position: { token: String(found.token), version: BigInt(String(found.version)) },
        reachedAt: String(found.reached_at),
      };
    });
  }

  async save({ index, identity, isComplete, position, reachedAt }: GenerationState): Promise<void> {
    await runOnStore(() =>
      this.#database
        .prepare('REPLACE INTO index_journal VALUES (?, ?, ?, ?, ?, ?)')
        .run(index, identity, Number(isComplete), position.token, position.version, reachedAt),
    );
  }

  async remove(index: string): Promise<void> {
    await runOnStore(() => this.#database.prepare('DELETE FROM index_journal WHERE name = ?').run(index));
  }
}

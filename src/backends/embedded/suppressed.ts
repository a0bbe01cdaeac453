import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Suppressible, suppressionKeys } from '#domain/suppression.ts';

/** Looks records up in the list of suppressions, as it is in the transaction under way. */
export class Suppressed {
  readonly #selectAny: StatementSync;
  readonly #select: StatementSync;

  constructor(database: DatabaseSync) {
    this.#selectAny = database.prepare('SELECT 1 FROM suppressions LIMIT 1');
    this.#select = database.prepare('SELECT 1 FROM suppressions WHERE key = ?');
  }

  holds(record: Suppressible): boolean {
    return this.#selectAny.get() !== undefined && suppressionKeys(record).some((key) => this.#select.get(key));
  }
}

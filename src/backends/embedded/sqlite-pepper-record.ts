import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { KeptProof, PepperDependents, PepperRecord } from '#ports/pepper-record.ts';
import { transact } from './database.ts';
import { runOnStore } from './sqlite-errors.ts';

/** The proof of the pepper, in a table with one row. */
export class SqlitePepperRecord implements PepperRecord {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async find(): Promise<KeptProof | null> {
    return runOnStore(() => this.#find());
  }

  async keep(given: KeptProof): Promise<KeptProof> {
    return runOnStore(() =>
      transact(this.#database, () => {
        const kept = this.#find();
        if (kept === null) this.#write(given);
        return kept ?? given;
      }),
    );
  }

  async replace(given: KeptProof): Promise<void> {
    await runOnStore(() => this.#write(given));
  }

  async countDependents(): Promise<PepperDependents> {
    const { keys, orders } = await runOnStore(
      () =>
        this.#database
          .prepare(
            `SELECT (SELECT count(*) FROM api_keys WHERE revoked_at IS NULL) AS keys,
               (SELECT count(*) FROM orders WHERE status IN ('pending', 'paid')) AS orders`,
          )
          .get() as Record<string, SQLOutputValue>,
    );
    return { keys: Number(keys), orders: Number(orders) };
  }

  #find(): KeptProof | null {
    const row = this.#database.prepare('SELECT proof, since FROM key_pepper').get();
    return row === undefined ? null : { proof: String(row.proof), since: String(row.since) };
  }

  #write({ proof, since }: KeptProof): void {
    this.#database.prepare('REPLACE INTO key_pepper (one, proof, since) VALUES (1, ?, ?)').run(proof, since);
  }
}

import type { KeptProof, PepperDependents, PepperRecord } from '#accounts/pepper-record.ts';
import { insertInto, SqliteStore, selectAll } from './sqlite-store.ts';

const selectProof = 'SELECT proof, since FROM key_pepper';

/** The proof of the pepper, in a table with one row. */
export class SqlitePepperRecord extends SqliteStore implements PepperRecord {
  find(): Promise<KeptProof | null> {
    return this.first(selectProof);
  }

  keep(given: KeptProof): Promise<KeptProof> {
    return this.transact(() => {
      const [kept] = selectAll<KeptProof>(this.database, selectProof);
      if (kept === undefined) insertInto(this.database, 'key_pepper', { one: 1, ...given });
      return kept ?? given;
    });
  }

  replace(given: KeptProof): Promise<void> {
    return this.insert('key_pepper', { one: 1, ...given }, 'REPLACE');
  }

  async countDependents(): Promise<PepperDependents> {
    const counts = await this.first<PepperDependents>(
      `SELECT (SELECT count(*) FROM api_keys WHERE revoked_at IS NULL) AS keys,
         (SELECT count(*) FROM orders WHERE status IN ('pending', 'paid')) AS orders`,
    );
    return counts as PepperDependents;
  }
}

import type { DatabaseSync } from 'node:sqlite';
import type { Suppression } from '#records/suppression.ts';

/** Writes to the suppression list, each in the current transaction. */
export function suppressionTable(database: DatabaseSync) {
  // An entry that followed from another one stays when an operator names it.
  const insert = database.prepare(`
    INSERT INTO suppressions (key, reason, added_at, follows) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET follows = NULL WHERE follows IS NOT NULL AND excluded.follows IS NULL`);
  const follow = database.prepare(`
    INSERT INTO suppressions (key, reason, added_at, follows)
    SELECT ?1, reason, ?2, coalesce(follows, key) FROM suppressions WHERE key = ?3
    ON CONFLICT DO NOTHING`);
  const handOn = database.prepare(`
    INSERT INTO suppressions (key, reason, added_at, follows)
    SELECT 'contact ' || ?2 || substr(key, -44), reason, ?3, coalesce(follows, key) FROM suppressions
    WHERE key >= 'contact ' || ?1 || ' ' AND key < 'contact ' || ?1 || '!' AND length(key) = length('contact ' || ?1) + 44
    ON CONFLICT DO NOTHING`);

  /** Returns how many entries are new. */
  function add(suppressions: readonly Suppression[]): number {
    const changes = suppressions.map(({ key, reason, addedAt, follows }) =>
      Number(insert.run(key, reason, addedAt, follows ?? null).changes),
    );
    return changes.reduce((sum, one) => sum + one, 0);
  }

  /** Adds entries by the key that each follows from. Returns the keys that are new. */
  function addFollowing(following: ReadonlyMap<string, string>, now: Date): string[] {
    return [...following].flatMap(([key, cause]) => (follow.run(key, now.toISOString(), cause).changes ? key : []));
  }

  /** The people of one record whom suppressions hide are those of another one, too. */
  function handOnPeople(from: string, to: string, now: Date): void {
    handOn.run(from, to, now.toISOString());
  }

  return { add, addFollowing, handOnPeople };
}

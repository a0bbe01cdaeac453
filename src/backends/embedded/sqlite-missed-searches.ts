import { type MissedSearch, type MissedSearches, maxMissedSearches } from '#ports/missed-searches.ts';
import { insertAll, SqliteStore } from './sqlite-store.ts';

/** Searches that found nothing, in SQLite: one row a query. */
export class SqliteMissedSearches extends SqliteStore implements MissedSearches {
  async add(searches: readonly MissedSearch[]): Promise<void> {
    const add = '(query) DO UPDATE SET count = count + excluded.count, last_at = max(last_at, excluded.last_at)';
    const trim = `DELETE FROM missed_searches WHERE query IN (
      SELECT query FROM missed_searches ORDER BY last_at DESC, query LIMIT -1 OFFSET ${maxMissedSearches})`;
    await this.transact(() => {
      insertAll(this.database, 'missed_searches', searches, add);
      this.database.exec(trim);
    });
  }

  list(limit: number): Promise<MissedSearch[]> {
    return this.all<MissedSearch>('SELECT * FROM missed_searches ORDER BY count DESC, query LIMIT ?', limit);
  }

  purge(before: string): Promise<number> {
    return this.run('DELETE FROM missed_searches WHERE last_at < ?', before);
  }
}

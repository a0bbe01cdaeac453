import { type ListHead, type ListStore, type MediaList, maxLists } from '#accounts/media-list.ts';
import { insertInto, SqliteStore } from './sqlite-store.ts';

type Row = Omit<MediaList, 'entries'> & { entries: string };

/** Lists in SQLite, each a row with its entries as JSON. */
export class SqliteListStore extends SqliteStore implements ListStore {
  list(account: string): Promise<ListHead[]> {
    return this.all<ListHead>(
      `SELECT id, account, name, created_at, updated_at, version, json_array_length(entries) AS count
       FROM media_lists WHERE account = ? ORDER BY name, id`,
      account,
    );
  }

  async find(account: string, id: string): Promise<MediaList | null> {
    const row = await this.first<Row>('SELECT * FROM media_lists WHERE account = ? AND id = ?', account, id);
    return row && { ...row, entries: JSON.parse(row.entries) };
  }

  create(list: MediaList): Promise<boolean> {
    return this.transact(() => {
      const count = this.database.prepare('SELECT count(*) AS count FROM media_lists WHERE account = ?');
      if (Number(count.get(list.account)?.count) >= maxLists) return false;
      insertInto(this.database, 'media_lists', toStored(list));
      return true;
    });
  }

  async replace(list: MediaList): Promise<boolean> {
    const set = 'name = ?, updated_at = ?, version = ?, entries = ?';
    const { name, updatedAt, version, entries, account, id } = toStored(list);
    const sql = `UPDATE media_lists SET ${set} WHERE account = ? AND id = ? AND version = ?`;
    return (await this.run(sql, name, updatedAt, version, entries, account, id, version - 1)) > 0;
  }

  async remove(account: string, id: string, version: number | null): Promise<boolean> {
    const sql = 'DELETE FROM media_lists WHERE account = ? AND id = ? AND version = coalesce(?, version)';
    return (await this.run(sql, account, id, version)) > 0;
  }
}

function toStored(list: MediaList): Row {
  return { ...list, entries: JSON.stringify(list.entries) };
}

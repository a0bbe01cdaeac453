import type { Session, SessionStore } from '#accounts/session.ts';
import { insertInto, SqliteStore } from './sqlite-store.ts';

/** Sessions of pages in SQLite. */
export class SqliteSessionStore extends SqliteStore implements SessionStore {
  save(session: Session): Promise<void> {
    return this.transact(() => {
      this.database.prepare('DELETE FROM sessions WHERE expires_at < ?').run(session.createdAt);
      insertInto(this.database, 'sessions', session);
    });
  }

  find(hash: string): Promise<Session | null> {
    return this.first<Session>('SELECT * FROM sessions WHERE hash = ?', hash);
  }

  list(account: string): Promise<Session[]> {
    return this.all<Session>('SELECT * FROM sessions WHERE account = ? ORDER BY created_at DESC, id', account);
  }

  async remove(account: string, id: string): Promise<boolean> {
    return (await this.run('DELETE FROM sessions WHERE account = ? AND id = ?', account, id)) > 0;
  }
}

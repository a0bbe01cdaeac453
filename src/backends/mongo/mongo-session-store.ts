import type { Session, SessionStore } from '#accounts/session.ts';
import { CollectionStore } from './collection-store.ts';

export interface SessionDocument extends Omit<Session, 'hash'> {
  _id: string;
}

/** Sessions of pages in a MongoDB collection. */
export class MongoSessionStore extends CollectionStore<SessionDocument> implements SessionStore {
  async save({ hash, ...session }: Session): Promise<void> {
    await this.run(async (sessions) => {
      await sessions.deleteMany({ expiresAt: { $lt: session.createdAt } });
      await sessions.insertOne({ _id: hash, ...session });
    });
  }

  async find(hash: string): Promise<Session | null> {
    const found = await this.run((sessions) => sessions.findOne({ _id: hash }));
    return found && readSession(found);
  }

  async list(account: string): Promise<Session[]> {
    const newestFirst = { createdAt: -1, id: 1 } as const;
    return (await this.run((sessions) => sessions.find({ account }).sort(newestFirst).toArray())).map(readSession);
  }

  async remove(account: string, id: string): Promise<boolean> {
    return (await this.run((sessions) => sessions.deleteOne({ account, id }))).deletedCount > 0;
  }
}

function readSession({ _id, ...session }: SessionDocument): Session {
  return { hash: _id, ...session };
}

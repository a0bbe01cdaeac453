import { type ClientSession, type MongoClient, Timestamp } from 'mongodb';

/**
 * How far a process has followed the history of the replica set. What it reads because of a change must not be older than
 * that change: after a failover, a server that still believes to be the primary may answer, and its state would stay in the
 * index under the version of the change (decisions/0034).
 */
export class FollowedHistory {
  readonly #client: MongoClient;
  /** The cluster time of the newest change that was followed. */
  #newest = 0n;

  constructor(client: MongoClient) {
    this.#client = client;
  }

  note(clusterTime: bigint): void {
    if (clusterTime > this.#newest) this.#newest = clusterTime;
  }

  /**
   * Gives `read` a session in which a server answers only once it has the newest change. The read must use read concern
   * `majority`: with `local`, a server that is no longer primary answers with what it has.
   */
  readAfter<Answer>(read: (session: ClientSession) => Promise<Answer>): Promise<Answer> {
    return this.#client.withSession({ causalConsistency: true }, async (session) => {
      if (this.#newest > 0n) session.advanceOperationTime(new Timestamp(this.#newest));
      return read(session);
    });
  }
}

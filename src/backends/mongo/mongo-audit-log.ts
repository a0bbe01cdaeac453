import type { Collection } from 'mongodb';
import type { AuditEntry, AuditLog } from '#ports/audit-log.ts';
import { runOnMongo } from './mongo-faults.ts';

/** The audit log in a MongoDB collection, with ids that increase over time. */
export class MongoAuditLog implements AuditLog {
  readonly #entries: Collection<AuditEntry>;

  constructor(entries: Collection<AuditEntry>) {
    this.#entries = entries;
  }

  async append(entry: AuditEntry): Promise<void> {
    await runOnMongo(() => this.#entries.insertOne({ ...entry }));
  }

  async list(limit: number): Promise<AuditEntry[]> {
    const newestFirst = { at: -1, _id: -1 } as const;
    const entries = await runOnMongo(() =>
      this.#entries
        .find({}, { projection: { _id: 0 } })
        .sort(newestFirst)
        .limit(limit)
        .toArray(),
    );
    // Entries of earlier versions have no outcome.
    return entries.map((entry) => ({ ...entry, outcome: entry.outcome ?? null }));
  }
}

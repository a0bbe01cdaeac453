import type { AuditEntry, AuditLog } from '#accounts/audit-log.ts';
import { CollectionStore } from './collection-store.ts';

/** The audit log in a MongoDB collection, with ids that increase over time. */
export class MongoAuditLog extends CollectionStore<AuditEntry> implements AuditLog {
  async append(entry: AuditEntry): Promise<void> {
    await this.run((entries) => entries.insertOne({ ...entry }));
  }

  async list(limit: number): Promise<AuditEntry[]> {
    const newestFirst = { sort: { at: -1, _id: -1 }, limit, projection: { _id: 0 } } as const;
    const found = await this.run((entries) => entries.find({}, newestFirst).toArray());
    // Entries of earlier versions have no outcome.
    return found.map((entry) => ({ ...entry, outcome: entry.outcome ?? null }));
  }
}

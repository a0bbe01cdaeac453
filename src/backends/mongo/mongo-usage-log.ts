import type { UsageDay } from '#accounts/usage.ts';
import type { UsageEntry, UsageLog } from '#accounts/usage-log.ts';
import { CollectionStore } from './collection-store.ts';

/** One key on one day; `_id` is both. */
export interface UsageDocument {
  _id: string;
  key_hash: string;
  date: string;
  requests: number;
  exported_rows: number;
  pushed_leads: number;
  last_used_at: string;
}

/** The use of keys in a MongoDB collection: one document a key and day. */
export class MongoUsageLog extends CollectionStore<UsageDocument> implements UsageLog {
  async add(entries: readonly UsageEntry[]): Promise<void> {
    const updates = entries.map(({ keyHash: key_hash, date, requests, exportedRows, pushedLeads, lastUsedAt }) => ({
      updateOne: {
        filter: { _id: `${key_hash} ${date}` },
        update: {
          $setOnInsert: { key_hash, date },
          $inc: { requests, exported_rows: exportedRows, pushed_leads: pushedLeads },
          $max: { last_used_at: lastUsedAt },
        },
        upsert: true,
      },
    }));
    if (updates.length > 0) await this.run((usage) => usage.bulkWrite(updates, { ordered: false }));
  }

  async list(keyHash: string, since: string): Promise<UsageDay[]> {
    const days = { key_hash: keyHash, date: { $gte: since } };
    const documents = await this.run((usage) => usage.find(days).sort({ date: 1 }).toArray());
    return documents.map(({ date, requests, exported_rows, pushed_leads }) => ({
      date,
      requests,
      exportedRows: exported_rows,
      pushedLeads: pushed_leads,
    }));
  }

  async listLastUses(): Promise<Map<string, string>> {
    const byKey = [{ $group: { _id: '$key_hash', at: { $max: '$last_used_at' } } }];
    const keys = await this.run((usage) => usage.aggregate<{ _id: string; at: string }>(byKey).toArray());
    return new Map(keys.map(({ _id, at }) => [_id, at]));
  }

  async purge(before: string): Promise<number> {
    return (await this.run((usage) => usage.deleteMany({ date: { $lt: before } }))).deletedCount;
  }
}

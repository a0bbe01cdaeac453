import { type ListHead, type ListStore, type MediaList, maxLists } from '#accounts/media-list.ts';
import { CollectionStore } from './collection-store.ts';

export interface ListDocument extends Omit<MediaList, 'id' | 'entries'> {
  _id: string;
  entries: MediaList['entries'];
}

/** Lists in a MongoDB collection, each a document with its entries. */
export class MongoListStore extends CollectionStore<ListDocument> implements ListStore {
  list(account: string): Promise<ListHead[]> {
    const heads = [
      { $match: { account } },
      { $sort: { name: 1, _id: 1 } },
      { $set: { id: '$_id', count: { $size: '$entries' } } },
      { $unset: ['_id', 'entries'] },
    ];
    return this.run((lists) => lists.aggregate<ListHead>(heads).toArray());
  }

  async find(account: string, id: string): Promise<MediaList | null> {
    const found = await this.run((lists) => lists.findOne({ _id: id, account }));
    if (found === null) return null;
    const { _id, ...list } = found;
    return { id: _id, ...list };
  }

  create({ id, ...list }: MediaList): Promise<boolean> {
    return this.run(async (lists) => {
      const { account } = list;
      if ((await lists.countDocuments({ account })) >= maxLists) return false;
      await lists.insertOne({ _id: id, ...list });
      // Of several that came at once for the last place, none gets it rather than all.
      const isOver = (await lists.countDocuments({ account })) > maxLists;
      if (isOver) await lists.deleteOne({ _id: id });
      return !isOver;
    });
  }

  async replace({ id, ...list }: MediaList): Promise<boolean> {
    const before = { _id: id, account: list.account, version: list.version - 1 };
    return (await this.run((lists) => lists.replaceOne(before, list))).matchedCount > 0;
  }

  async remove(account: string, id: string, version: number | null): Promise<boolean> {
    const wanted = { _id: id, account, ...(version !== null && { version }) };
    return (await this.run((lists) => lists.deleteOne(wanted))).deletedCount > 0;
  }
}

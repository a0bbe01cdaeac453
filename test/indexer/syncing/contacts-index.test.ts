import { describe, expect, it } from 'vitest';
import { contactsOf } from '#backends/elasticsearch/contact-document.ts';
import { contactDocumentId } from '#backends/elasticsearch/index-document.ts';
import { verifyIndex } from '#indexer/syncing/compare-index.ts';
import { readStatus } from '#indexer/syncing/generations.ts';
import { everything, type SearchQuery } from '#search/search-query.ts';
import { hasEngines, openOnEngines } from '#testing/backends.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useEach } from '#testing/use.ts';

const allContacts: SearchQuery = { ...everything, rows: 'contacts' };
const patience = { timeout: 60_000 };
const page = { sort: { key: 'name', reversed: false }, offset: 0, limit: 100 } as const;

/** A document of the store, as other tools write it. */
function medium(id: string, ...names: string[]) {
  const contacts = names.map((name) => ({
    id: name.toLowerCase(),
    name: `${name} One`,
    email: `${name}@${id}.example`,
  }));
  return { _id: id, kind: 'outlet', name: `The ${id}`, contacts };
}

describe.skipIf(!hasEngines)('the index of contacts', () => {
  const production = useEach(openOnEngines);

  const found = async () => {
    const { records, total } = await production.index.search(allContacts, page, 'masked');
    expect(total).toBe(records.length);
    return records.map(({ id, contacts }) => `${id} ${contacts[0]?.id}`);
  };
  const live = async () => {
    const generation = await production.syncDeps.generations.findLive();
    if (generation === null) throw new Error('there is no index');
    return generation;
  };

  it('goes live with the index of records, is counted, and goes back with it', async () => {
    await production.collection.insertMany([medium('daily', 'Ann', 'Bob'), medium('weekly')] as never[]);
    await production.reindex();
    expect(await found()).toEqual(['daily ann', 'daily bob']);
    expect(await live()).toMatchObject({ records: 2, contacts: 2 });
    const { index } = await live();
    await production.collection.insertOne(medium('monthly', 'Cem') as never);
    await production.reindex();
    expect(await found()).toEqual(['daily ann', 'daily bob', 'monthly cem']);
    expect(await readStatus(production.syncDeps, new Date())).toMatchObject({ indexed: 3, indexed_contacts: 3 });
    await production.collection.deleteOne({ _id: 'daily' });
    await production.maintenance.rollBack(index);
    expect(await found()).toEqual(['monthly cem']);
    const names = Object.keys(await production.engine.indices.getAlias({ name: contactsOf(production.alias) }));
    expect(names).toEqual([contactsOf(index)]);
    await production.syncDeps.generations.remove(index);
    expect(await production.engine.indices.exists({ index: contactsOf(index) })).toBe(false);
  });

  it('follows every change of contacts', async () => {
    await production.collection.insertOne(medium('daily', 'Ann', 'Bob') as never);
    await production.reindex();
    const sync = production.follow();
    await production.collection.replaceOne({ _id: 'daily' }, medium('daily', 'Bob', 'Cem'));
    await production.collection.insertOne(medium('weekly', 'Dan') as never);
    await expect.poll(found, patience).toEqual(['daily bob', 'daily cem', 'weekly dan']);
    await production.collection.deleteOne({ _id: 'weekly' });
    await expect.poll(found, patience).toEqual(['daily bob', 'daily cem']);
    await sync.stop();
    expect(await production.differences()).toEqual([]);
  });

  it('keeps no contact of an earlier state, in whatever order two processes write it', async () => {
    await production.reindex();
    const { generations, source } = production.syncDeps;
    const { index } = await live();
    const { version } = await source.now();
    const contact = (name: string) => madeContact({ id: name, name: `${name} One` });
    const state = (later: bigint, ...names: string[]) =>
      generations.prepare({
        id: 'daily',
        version: version + later,
        record: madeRecord({ id: 'daily', contacts: names.map(contact) }),
      });
    await generations.write(index, [state(2n, 'bob')]);
    await generations.write(index, [state(1n, 'ann', 'bob')]);
    await generations.refresh(index);
    expect(await found()).toEqual(['daily bob']);
    // Both know of each other while they write.
    await Promise.all([
      generations.write(index, [state(3n, 'bob', 'cem')]),
      generations.write(index, [state(4n, 'bob', 'dan')]),
    ]);
    await generations.refresh(index);
    expect(await found()).toEqual(['daily bob', 'daily dan']);
    expect([...(await generations.readDigests(index, { after: '', upTo: null })).values()]).toEqual([
      generations.digestOf(madeRecord({ id: 'daily', contacts: ['bob', 'dan'].map(contact) })),
    ]);
  });

  it('is compared and repaired: contacts that are missing, superfluous, or made of an earlier record', async () => {
    await production.collection.insertMany([
      medium('daily', 'Ann', 'Bob'),
      medium('weekly', 'Cem'),
      medium('monthly', 'Dan'),
    ] as never[]);
    await production.reindex();
    const index = contactsOf((await live()).index);
    const contact = (id: string, of: string) => ({ of, order: { id, contact: 'eve' } });
    await production.engine.delete({ index, id: contactDocumentId('daily', 'ann') });
    await production.engine.index({
      index,
      id: contactDocumentId('weekly', 'eve'),
      document: contact('weekly', 'another state'),
    });
    await production.engine.index({
      index,
      id: contactDocumentId('gone', 'eve'),
      document: contact('gone', 'another state'),
    });
    expect((await production.differences()).toSorted()).toEqual(['extra gone', 'stale daily', 'stale weekly']);
    expect(await verifyIndex(production.syncDeps, { repairs: true })).toMatchObject({ stale: 2, extra: 1 });
    expect(await production.differences()).toEqual([]);
    expect(await found()).toEqual(['daily ann', 'daily bob', 'weekly cem', 'monthly dan']);
  });
});

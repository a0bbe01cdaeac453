import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { testStores } from '#testing/backends.ts';
import { useEach } from '#testing/use.ts';
import { ListImporter, type MadeRow, writeList } from './list-importer.ts';

const herald = { kind: 'outlet', name: 'The Herald' };
const url = 'https://herald.example/news';

describe.each(testStores)('a row without an id, $name', ({ open }) => {
  const stores = useEach(open);
  const importer = useEach(() => ListImporter.open(stores));

  const importRows = (...rows: MadeRow[]) => importer.import(writeList(rows, false));
  const shown = async (...keys: (keyof MediaRecord)[]) =>
    (await importer.readAll()).map((record) => keys.map((key) => record[key])).sort();

  it.each<[string, MadeRow, MadeRow]>([
    [
      'page, however it is spelled',
      { ...herald, url },
      { kind: 'outlet', name: 'the hérald', url: 'www.herald.example/news/?a=1' },
    ],
    [
      'feed, at another page',
      { ...herald, url, feed_url: `${url}/rss` },
      { ...herald, url: `${url}/b`, feed_url: `${url}/rss` },
    ],
    ['feed, which was a page before', { ...herald, url: `${url}/rss` }, { ...herald, feed_url: `${url}/rss` }],
    ['page, in another town', { ...herald, url, city: 'Rome' }, { ...herald, url, city: 'Milan' }],
    ['place, with neither', { ...herald, country: 'US', region: 'TX' }, { ...herald, country: 'US', region: 'Texas' }],
    ['place, where one has neither', { ...herald, url, city: 'Rome' }, { ...herald, city: 'ROME' }],
    ['unknown place, with neither', herald, herald],
  ])('is the record of the same kind, name and %s', async (_, first, second) => {
    await importRows(first);
    expect(await importRows(second)).toMatchObject({ created: 0 });
    expect(await importer.readAll()).toMatchObject([{ name: 'The Herald' }]);
  });

  it.each<[string, MadeRow, MadeRow]>([
    ['name at one address', { ...herald, url }, { kind: 'outlet', name: 'The Post', url }],
    ['kind', { ...herald, url }, { ...herald, kind: 'podcast', url }],
    ['path', { ...herald, url }, { ...herald, url: `${url}/leeds` }],
    ['place, where one has neither feed nor page', { ...herald, url, city: 'Rome' }, { ...herald, city: 'Milan' }],
    ['place, which is known of one', { ...herald, city: 'Rome' }, herald],
  ])('is another record with another %s', async (_, first, second) => {
    for (const rows of [
      [first, second],
      [second, first],
    ]) {
      await importer.clear();
      expect(await importRows(...rows)).toMatchObject({ created: 2, repeated: 0 });
      expect(await importRows(...rows)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    }
  });

  it('is the record that a row with an id made, and never renames it', async () => {
    await stores.records.merge([{ id: '7', kind: 'outlet', name: 'The Herald', url }]);
    expect(await importRows({ kind: 'outlet', name: 'THE HERALD', url, city: 'Rome' })).toMatchObject({ updated: 1 });
    expect(await shown('id', 'name', 'city')).toEqual([['7', 'The Herald', 'Rome']]);
    await stores.records.merge([{ id: '7', name: 'The Post' }]);
    expect(await importRows({ ...herald, url })).toMatchObject({ created: 1 });
    expect(await shown('name')).toEqual([['The Herald'], ['The Post']]);
  });

  it('is of several records of its name the one with its person, else the one at whose site she has her address', async () => {
    const sites = ['blog.herald.example', 'herald.example'];
    await stores.records.merge(
      sites.map((site) => ({ id: site, ...herald, kind: 'outlet' as const, url: `https://${site}/` })),
    );
    const ofAnn = (email: string) => importRows({ ...herald, contact_name: 'Ann One', email });
    const people = async () => (await shown('id', 'contact_name')).map((cells) => cells.join(' ').trim());
    await ofAnn('ann@mail.example');
    expect(await people()).toEqual(['blog.herald.example Ann One', 'herald.example']);
    await importRows({ ...herald, contact_name: 'Bob Two', email: 'bob@herald.example' });
    await ofAnn('ann@mail.example');
    expect(await people()).toEqual(['blog.herald.example Ann One', 'herald.example Bob Two']);
  });

  it('refuses rows whose ids are those of other people, and takes them with those of their own', async () => {
    const rows = (...people: string[]) => people.map((contact_name, at) => ({ ...herald, id: `${at}`, contact_name }));
    const first = rows('Ann', 'Bob', 'Cem', 'Dee', 'Eva');
    expect(await importRows(...first)).toMatchObject({ created: 5 });
    const { files } = await importRows(...rows('Fay', 'Gil', 'Hal', 'Ida', 'Jon'));
    expect(files).toMatchObject([{ refused: { code: 'foreign_ids' } }]);
    expect(await importRows(...first)).toMatchObject({ unchanged: 5 });
  });

  it('is the record whose city an earlier version stored with its region', async () => {
    const place = { country: 'US', city: 'Nashville TN' };
    await stores.records.merge([{ id: '7', ...herald, kind: 'outlet', ...place }]);
    expect(await importRows({ ...herald, ...place })).toMatchObject({ created: 0, updated: 1 });
    expect(await importRows({ ...herald, ...place })).toMatchObject({ created: 0, updated: 0 });
  });

  it('takes nothing from another row of its file with an empty cell, and loses to its values', async () => {
    const rows = [
      { ...herald, url, city: 'Rome', description: 'First' },
      { ...herald, url, city: '', description: 'Second' },
    ];
    expect(await importer.import(writeList(rows, true))).toMatchObject({ created: 1, repeated: 1 });
    expect(await shown('city', 'description')).toEqual([['Rome', 'Second']]);
  });

  it('unites the records to which its feed and its page lead', async () => {
    const feed_url = `${url}/rss`;
    await importRows({ ...herald, url, description: 'Of the page' });
    await importRows({ ...herald, feed_url, city: 'Rome' });
    expect(await importRows({ ...herald, url, feed_url })).toMatchObject({ created: 0 });
    expect(await shown('url', 'feed_url', 'city', 'description')).toEqual([[url, feed_url, 'Rome', 'Of the page']]);
    for (const row of [
      { ...herald, url },
      { ...herald, feed_url },
    ]) {
      expect(await importRows(row)).toMatchObject({ created: 0, updated: 0 });
    }
  });

  it('leaves records apart that would have too many contacts as one, and says so', async () => {
    const feed_url = `${url}/rss`;
    await importRows({ ...herald, url }, { ...herald, feed_url });
    const people = (desk: string) =>
      Array.from({ length: 300 }, (_, at) => ({ title: `${desk} ${at}`, email: `${desk}${at}@herald.example` }));
    for (const { id, feed_url: feed } of await importer.readAll()) {
      await stores.records.merge([{ id, contacts: { patches: people(feed === null ? 'a' : 'b'), areAll: true } }]);
    }
    const { files } = await importRows({ ...herald, url, feed_url });
    expect(files).toMatchObject([{ rejected: 0, notes: [{ code: 'not_united', count: 1 }] }]);
    expect(await shown('contact_count')).toEqual([[300], [300]]);
  });

  it('finds the record that an earlier version made of it, also when that was merged or edited', async () => {
    const id = `auto-${hash('sha256', 'outlet\nherald.example/news').slice(0, 16)}`;
    await stores.records.merge([{ id, kind: 'outlet', name: 'The Herald', url }]);
    expect(await importRows({ ...herald, url })).toMatchObject({ unchanged: 1 });
    await stores.records.merge([{ id, url: 'https://new.example/' }]);
    expect(await importRows({ ...herald, url })).toMatchObject({ created: 0 });
    await stores.records.merge([{ id: 'kept', kind: 'outlet', name: 'Herald of Rome', url: 'https://kept.example/' }]);
    const begun = { action: 'merge', operator: 'test', startedAt: '2026-01-01T00:00:00.000Z', undoes: null } as const;
    await stores.changes.begin({ id: 'merge', ...begun });
    await stores.records.mergeDuplicates('kept', [id], 'merge');
    expect(await importRows({ ...herald, url })).toMatchObject({ created: 0, unchanged: 1 });
    expect(await shown('id')).toEqual([['kept']]);
    expect(await importRows({ kind: 'outlet', name: 'Stranger', url })).toMatchObject({ created: 1 });
    const inLeipzig = { ...herald, city: 'Leipzig', country: 'DE' };
    await stores.records.merge([{ ...inLeipzig, id: 'of an unknown region', kind: 'outlet' }]);
    expect(await importRows(inLeipzig)).toMatchObject({ created: 0, updated: 1 });
  });

  it('gets another id where a renamed record has its own', async () => {
    await importRows({ ...herald, url });
    const [first] = await importer.readAll();
    await stores.records.merge([{ id: first?.id ?? '', name: 'The Post' }]);
    expect(await importRows({ ...herald, url })).toMatchObject({ created: 1 });
    expect(await importRows({ ...herald, url })).toMatchObject({ unchanged: 1 });
    expect(await shown('name')).toEqual([['The Herald'], ['The Post']]);
  });

  it('is rejected without a name, and stands in the rejects as it stood', async () => {
    const summary = await importRows({ kind: 'outlet', url }, { ...herald, url });
    expect(summary).toMatchObject({ created: 1, rejected: 1, files: [{ causes: [{ field: 'name', first_line: 1 }] }] });
  });
});

import { describe, expect, it } from 'vitest';
import type { ImportSummary } from '#indexer/importing/import-summary.ts';
import { undoChanges } from '#indexer/records/undo-changes.ts';
import { type ChangeSet, newChangeSetId } from '#records/changes/change-set.ts';
import { testStores } from '#testing/backends.ts';
import { useEach } from '#testing/use.ts';
import { ListImporter } from './list-importer.ts';

const columns = ['contact_name', 'contact_title', 'email', 'email_status', 'phone'] as const;
const ann = 'Ann One,Editor,ann@a.example,valid,+44 20 7946 0001';
const bob = 'Bob Two,,bob@a.example,,';

describe.each(testStores)('a record has one contact, whole, $name', ({ open }) => {
  const stores = useEach(open);
  const importer = useEach(() => ListImporter.open(stores));
  const importRows = (headings: string, ...rows: string[]) =>
    importer.import(`kind,name,${headings}\n${rows.map((row) => `outlet,Daily A,${row}\n`).join('')}`);
  const contact = async () => {
    const records = await importer.readAll();
    return records.map((record) => columns.map((key) => record[key] ?? '').join());
  };
  const all = columns.join();

  it.each([
    ['another person in a list of names and addresses', 'contact_name,email', 'Bob Two,bob@a.example', bob],
    ['another person in a list of names', 'contact_name', 'Bob Two', 'Bob Two,,,,'],
    ['a desk', 'contact_title,contact_name,email', 'News desk,,news@a.example', ',News desk,news@a.example,,'],
    ['an address of nobody', 'email', 'news@a.example', ',,news@a.example,,'],
    [
      'the person at another address',
      'contact_name,email',
      'ANN ONE,one@a.example',
      'ANN ONE,Editor,one@a.example,,+44 20 7946 0001',
    ],
    ['no contact', 'description', 'Daily.', ann],
    ['a phone alone', 'phone', '+44 20 7946 0002', ann.replace('0001', '0002')],
  ])('after a later list with %s', async (_, headings, row, left) => {
    await importRows(all, ann);
    await importRows(headings, row);
    expect(await contact()).toEqual([left]);
    expect(await importRows(headings, row)).toMatchObject({ unchanged: 1 });
  });

  it('after several rows of a file: the last that names one, and what other rows say of the same', async () => {
    await importRows(all, ann, bob, '"Two, Bob",,,,+44 20 7946 0003', ',,,,');
    expect(await contact()).toEqual(['Two, Bob,,bob@a.example,,+44 20 7946 0003']);
  });

  it('after a merge of two people', async () => {
    await stores.records.merge([
      { id: 'a', kind: 'outlet', name: 'Daily A', contact_name: 'Ann One', contact_title: 'Editor', phone: '+44 1' },
      { id: 'b', kind: 'outlet', name: 'Daily A', contact_name: 'Bob Two', email: 'bob@a.example' },
    ]);
    const id = newChangeSetId(new Date());
    const startedAt = '2026-01-01T00:00:00.000Z';
    await stores.changes.begin({ id, action: 'merge', operator: 'test', undoes: null, startedAt });
    await stores.records.mergeDuplicates('a', ['b'], id);
    expect(await contact()).toEqual([bob]);
    // Ann has no address, so the one that the record got from the other stays, also if her row comes again.
    await stores.records.merge([{ id: 'a', contact_name: 'Ann One', contact_title: 'Editor', email: null }]);
    expect(await contact()).toEqual([bob]);
  });

  describe('after an undo', () => {
    const undo = async ({ import_id }: ImportSummary) => {
      const set = (await stores.changes.find(import_id ?? '')) as ChangeSet;
      return undoChanges({ ...stores, operator: 'test' }, set);
    };

    it('of another person, whose title came later', async () => {
      await importRows('contact_name,contact_title', 'Ann One,Editor');
      const second = await importRows('contact_name', 'Bob Two');
      const [record] = await importer.readAll();
      await stores.records.merge([{ id: record?.id ?? '', contact_title: 'Reporter' }]);
      expect(await contact()).toEqual(['Bob Two,Reporter,,,']);
      expect(await undo(second)).toMatchObject({ restored: 1, kept: 0 });
      expect(await contact()).toEqual(['Ann One,Editor,,,']);
    });

    it('of a person who gave way to a third', async () => {
      await importRows(all, ann);
      const second = await importRows(all, bob);
      await importRows(all, 'Cem Three,Host,cem@a.example,,');
      expect(await undo(second)).toMatchObject({ first_kept: [{ fields: ['contact_name'] }] });
      expect(await contact()).toEqual(['Cem Three,Host,cem@a.example,,']);
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { ImportSummary } from '#indexer/importing/accounting/import-summary.ts';
import { undoChanges } from '#indexer/records/undo-changes.ts';
import { type ChangeSet, newChangeSetId } from '#records/changes/change-set.ts';
import { contactLimit } from '#records/contacts/contact.ts';
import { testStores } from '#testing/backends.ts';
import { readCases } from '#testing/cases.ts';
import { madeContact } from '#testing/made-contact.ts';
import { contentOf, madePatch, madeRecord } from '#testing/made-record.ts';
import { useEach } from '#testing/use.ts';
import { ListImporter } from './list-importer.ts';

const columns = 'contact_name,contact_title,email,email_status,phone';
const ann = 'Ann One,Editor,ann@a.example,valid,+44 20 7946 0001';
const bob = 'Bob Two,,bob@a.example,,';

describe.each(testStores)('contacts of lists, $name', ({ open }) => {
  const stores = useEach(open);
  const importer = useEach(() => ListImporter.open(stores));
  const importRows = (headings: string, ...rows: string[]) =>
    importer.import(`kind,name,${headings}\n${rows.map((row) => `outlet,Daily A,${row}\n`).join('')}`);
  const readOne = async () => {
    const [record, ...others] = await importer.readAll();
    expect(others).toEqual([]);
    if (record === undefined) throw new Error('nothing is stored');
    return record;
  };
  const contacts = async () =>
    (await readOne()).contacts.map(({ name, title, email, email_status, phone }) =>
      [name, title, email, email_status, phone].map((value) => value ?? '').join(),
    );

  it.each(
    readCases<[list: string, headings: string, row: string, left: string[]]>(
      new URL('later-lists.tsv', import.meta.url),
    ),
  )('are kept whole after a later list with %s', async (_, headings, row, left) => {
    await importRows(columns, ann);
    await importRows(headings, row);
    expect(await contacts()).toEqual(left);
    expect(await importRows(headings, row)).toMatchObject({ unchanged: 1 });
  });

  it('are each of all its rows in a file', async () => {
    await importRows(columns, ann, bob, '"Two, Bob",,,,+44 20 7946 0003', ',,,,');
    expect(await contacts()).toEqual([ann, '"Two, Bob",,bob@a.example,,+44 20 7946 0003'.replaceAll('"', '')]);
  });

  it('show the best one, whole, in the flat keys', async () => {
    await importRows(columns, ',,news@a.example,,', 'Bob Two,Host,bob@a.example,invalid,', ann);
    expect(await readOne()).toMatchObject({
      contact_count: 3,
      contact_name: 'Ann One',
      contact_title: 'Editor',
      email: 'ann@a.example',
      phone: '+44 20 7946 0001',
    });
  });

  it('of duplicates are all there after a merge, with ids that stay, and go their ways again', async () => {
    await stores.records.merge([
      madePatch({ id: 'a', kind: 'outlet', name: 'Daily A', contact_name: 'Ann One', contact_title: 'Editor' }),
      madePatch({ id: 'b', kind: 'outlet', name: 'Daily A', contact_name: 'Bob Two', email: 'bob@a.example' }),
    ]);
    const before = await importer.readAll();
    const id = newChangeSetId(new Date());
    const startedAt = '2026-01-01T00:00:00.000Z';
    await stores.changes.begin({ id, action: 'merge', operator: 'test', undoes: null, startedAt });
    await stores.records.mergeDuplicates('a', ['b'], id);
    expect((await readOne()).contacts).toEqual(before.flatMap(({ contacts: own }) => own));
    await stores.records.merge([madePatch({ id: 'a', contact_name: 'Ann One', contact_title: 'Editor', email: null })]);
    expect((await readOne()).contact_count).toBe(2);
    await undo(id);
    expect((await importer.readAll()).map(contentOf)).toEqual(before.map(contentOf));
  });

  it('of duplicates are too many for one record above the limit: both stay', async () => {
    const people = (id: string, count: number) =>
      Array.from({ length: count }, (_, at) => madeContact({ id: `${id}${at}`, name: `Ann ${id}${at}` }));
    const given = [
      madeRecord({ id: 'a', contacts: people('a', contactLimit - 1) }),
      madeRecord({ id: 'b', contacts: people('b', 2) }),
    ];
    await stores.records.merge(given);
    expect(await stores.records.mergeDuplicates('a', ['b'], 'set')).toEqual({ tooManyContacts: true });
    const counts = (await importer.readAll()).map(({ id, contact_count }) => [id, contact_count]);
    expect(counts).toEqual([
      ['a', contactLimit - 1],
      ['b', 2],
    ]);
  });

  const undo = async (changeSet: string) =>
    undoChanges({ ...stores, operator: 'test' }, (await stores.changes.find(changeSet)) as ChangeSet);
  const undoImport = ({ import_id }: ImportSummary) => undo(import_id ?? '');

  describe('after an undo', () => {
    it('of one list are those of the others, also where she was changed later', async () => {
      await importRows(columns, ann);
      const second = await importRows(columns, bob, 'Cem Three,Host,cem@a.example,,');
      await importRows('contact_name,contact_title', 'Bob Two,Reporter');
      expect(await undoImport(second)).toMatchObject({ restored: 1, kept: 1, first_kept: [{ fields: ['contacts'] }] });
      expect(await contacts()).toEqual([ann, 'Bob Two,Reporter,bob@a.example,,']);
    });

    it('of a change are as they were before', async () => {
      await importRows(columns, ann, bob);
      const before = await readOne();
      const second = await importRows(columns, 'Ann One,Publisher,one@a.example,,');
      expect(await undoImport(second)).toMatchObject({ restored: 1, kept: 0 });
      expect((await readOne()).contacts).toEqual(before.contacts);
    });
  });
});

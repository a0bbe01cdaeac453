import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ContactPatch, KeptContact } from '#records/contacts/contact.ts';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import { contactSuppressionKey, suppressionKey } from '#records/suppression.ts';
import { everything, firstPage } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { testBackends } from '#testing/backends.ts';
import { useOne } from '#testing/use.ts';
import { ListImporter } from './list-importer.ts';

const page = firstPage(100);
const ann = { name: 'Ann One', email: 'ann@daily.example' };
const bob = { name: 'Bob Two', email: 'bob@daily.example' };
const desk = { title: 'Newsroom', email: 'news@daily.example' };

/** What an import says of a medium: a row for each contact. */
function rowsOf(id: string, rows: readonly ContactPatch[], more: Partial<RecordPatch> = {}): RecordPatch {
  return { id, kind: 'outlet', name: `Daily ${id}`, ...more, contacts: { patches: rows, areAll: false } };
}

describe.each(testBackends)('hidden people, $name', ({ open }) => {
  const backend = useOne(open);
  afterEach(async () => {
    await backend.maintenance.unsuppress((await backend.suppressions.list()).map(({ key }) => key));
    for await (const batch of backend.records.readAll()) await backend.records.remove(batch.map(({ id }) => id));
    await backend.settle();
  });

  async function importRows(...patches: RecordPatch[]): Promise<void> {
    await backend.records.merge(patches);
    await backend.settle();
  }

  const suppress = (...keys: (string | null)[]) =>
    backend.maintenance.suppress(
      keys.map((key) => ({ key: key ?? '', reason: null, addedAt: new Date().toISOString() })),
    );
  const suppressAddress = (address: string) => suppress(suppressionKey('address', address));

  const described = (records: readonly MediaRecord[]) =>
    records
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .map(({ id, contacts }) => `${id}: ${contacts.map(nameOf).toSorted().join(', ')}`);

  /** The contacts of each medium: the same in search, masked or not, in scans and by id. */
  async function shown(): Promise<string[]> {
    const { index } = backend;
    const { records } = await index.search(everything, page, 'full');
    const scanned = (await Array.fromAsync(await index.scan(everything))).flat();
    const ids = records.map(({ id }) => id);
    const [full, masked] = [await index.findMany(ids, 'full'), await index.findMany(ids, 'masked')];
    const all = described(records);
    expect([described(scanned), described(full), described(masked)]).toEqual([all, all, all]);
    for (const { contact_count, contacts } of records) expect(contact_count).toBe(contacts.length);
    return all;
  }

  const find = async (q: string) =>
    (await backend.index.search({ text: understand(q), filters: [] }, page, 'masked')).records.map(({ id }) => id);

  it('go with every contact that has their address or their name at that medium; colleagues and media stay', async () => {
    const other = { name: 'One, Ann', email: 'ann.one@mail.example' };
    await importRows(
      rowsOf('a', [ann, other, bob, desk]),
      rowsOf('b', [{ name: 'Annie', email: 'ann@daily.example' }]),
      rowsOf('c', [{ name: 'Ann One', email: 'another@c.example' }]),
    );
    expect(await find('ann one')).toEqual(expect.arrayContaining(['a', 'c']));
    expect(await suppressAddress('Ann@daily.example')).toEqual({
      added: 1,
      known: 0,
      hidden: 0,
      hidden_contacts: 3,
    });
    expect(await shown()).toEqual(['a: Bob Two, Newsroom', 'b: ', 'c: Ann One']);
    expect(await find('ann one')).toEqual(['c']);
  });

  it('go from other media with their other addresses, too', async () => {
    const other = { name: 'Ann One', email: 'ann.one@mail.example' };
    await importRows(rowsOf('a', [ann, other, bob]), rowsOf('b', [{ name: 'A. One', email: 'ann.one@mail.example' }]));
    await suppressAddress('ann@daily.example');
    expect(await shown()).toEqual(['a: Bob Two', 'b: ']);
  });

  it('do not take with them who shares their address', async () => {
    const shared = 'press@daily.example';
    await importRows(
      rowsOf('a', [
        { name: 'Ann One', email: shared },
        { name: 'Bob Two', email: shared },
        { name: 'Bob Two', email: 'bob@daily.example' },
      ]),
    );
    await suppress(contactSuppressionKey('a', 'Ann One'));
    expect(await shown()).toEqual(['a: Bob Two, Bob Two']);
    await suppressAddress(shared);
    expect(await shown()).toEqual(['a: Bob Two']);
  });

  it.each(
    ordersOf([
      { name: 'Ann One', email: 'never@daily.example' },
      { name: 'Ann One', email: 'ann.one@mail.example' },
      bob,
    ]),
  )('do not come in again, whatever the order of rows', async (...rows) => {
    await suppressAddress('never@daily.example');
    await importRows(rowsOf('a', rows), rowsOf('b', [{ name: 'A. One', email: 'ann.one@mail.example' }]));
    expect(await shown()).toEqual(['a: Bob Two', 'b: ']);
    expect(await backend.holdsText('never@daily.example')).toBe(false);
    await importRows(rowsOf('a', [{ name: 'One, Ann', email: 'third@mail.example' }]));
    await importRows(rowsOf('c', [{ name: 'Somebody', email: 'third@mail.example' }]));
    expect(await shown()).toEqual(['a: Bob Two', 'b: ', 'c: ']);
  });

  it('are counted as suppressed in lists, and neither leave nor stand in the file of names', async () => {
    const importer = await ListImporter.open(backend);
    onTestFinished(() => importer.close());
    const heading = 'outlet,contact name,email';
    const rows = ['Daily Q,Ann Smith,ann@q.example', 'Daily Q,Bob Jones,bob@q.example'];
    const source = { name: 'press', isComplete: true };
    const first = await importer.importWith({ source, kind: 'outlet' }, [heading, ...rows].join('\n'));
    expect(first.people).toMatchObject({ read: 2, created: 2 });
    await backend.settle();
    await suppressAddress('ann@q.example');
    const { people } = await importer.importWith({ source, kind: 'outlet' }, [heading, ...rows].join('\n'));
    expect(people).toMatchObject({ read: 2, unchanged: 1, suppressed: 1, left: 0, others: 0 });
    const other = [heading, 'Daily Z,Anna Miller,cy@z.example', 'Daily Z,Peter Brown,pb@z.example'].join('\n');
    expect((await importer.importWith({ source, kind: 'outlet' }, other)).people).toMatchObject({
      left: 1,
      others: 0,
    });
    await backend.settle();
    expect((await shown()).map((line) => line.replace(/^.*: /, '')).toSorted()).toEqual([
      '',
      'Anna Miller, Peter Brown',
    ]);
  });

  it('go when an import says that a name is theirs', async () => {
    await importRows(rowsOf('a', [{ name: 'Ann One', phone: '+44 20 7946 0001' }, bob]));
    await suppressAddress('ann@daily.example');
    expect(await shown()).toEqual(['a: Ann One, Bob Two']);
    await importRows(rowsOf('a', [ann]));
    expect(await shown()).toEqual(['a: Bob Two']);
  });

  it('stay as they are stored, whatever is imported', async () => {
    await importRows(rowsOf('a', [bob, ann, desk]));
    await suppressAddress('ann@daily.example');
    const stored = await contactOf('a', 'Ann One');
    await importRows(rowsOf('a', [{ name: 'Ann One', title: 'Editor', email: 'new@daily.example' }]));
    await importRows({
      ...rowsOf('a', []),
      contacts: { patches: [bob, { id: stored?.id ?? '', phone: '1' }], areAll: true },
    });
    expect(await contactOf('a', 'Ann One')).toEqual(stored);
    expect(await shown()).toEqual(['a: Bob Two']);
  });

  const contactOf = async (id: string, name: string): Promise<KeptContact | undefined> =>
    (await backend.records.find(id))?.contacts.find((contact) => contact.name === name);

  it('stay hidden when their medium is renamed, or merged into another', async () => {
    await importRows(rowsOf('m', [bob]), rowsOf('k', [{ name: 'Ann One', phone: '+44 20 7946 0001' }]));
    await suppress(contactSuppressionKey('m', 'Ann One'));
    await importRows(rowsOf('m', [{ name: 'Ann One', email: 'ann.one@mail.example' }], { name: 'Weekly' }));
    expect(await shown()).toEqual(['k: Ann One', 'm: Bob Two']);
    await backend.changes.begin({
      id: 'mrg_1',
      action: 'merge',
      operator: 'ada',
      startedAt: new Date().toISOString(),
      undoes: null,
    });
    await backend.records.mergeDuplicates('k', ['m'], 'mrg_1');
    await backend.settle();
    expect(await shown()).toEqual(['k: Bob Two']);
    await importRows(rowsOf('m', [{ name: 'Ann One' }]), rowsOf('k', [{ name: 'Ann One', email: 'x@mail.example' }]));
    expect(await shown()).toEqual(['k: Bob Two']);
  });

  it('are there again once their entry is gone, with all that followed from it', async () => {
    const other = { name: 'Ann One', email: 'ann.one@mail.example' };
    await importRows(rowsOf('a', [ann, other, bob]), rowsOf('b', [{ name: 'A. One', email: 'ann.one@mail.example' }]));
    await suppressAddress('ann@daily.example');
    const counts = await backend.maintenance.unsuppress([suppressionKey('address', 'ann@daily.example')]);
    expect(counts).toEqual({ removed: 1, shown: 0, shown_contacts: 3 });
    expect(await shown()).toEqual(['a: Ann One, Ann One, Bob Two', 'b: A. One']);
    expect(await backend.suppressions.list()).toEqual([]);
  });

  it('make their medium one that changed, when they go and when they come, and no other', async () => {
    await importRows(rowsOf('a', [ann, bob]), rowsOf('b', [bob]));
    const dates = async () =>
      (await backend.index.findMany(['a', 'b'], 'full')).toSorted(byId).map(({ updated_at }) => updated_at);
    const [a, b] = (await dates()) as [string, string];
    await suppressAddress('ann@daily.example');
    await backend.settle();
    const [hidden, same] = (await dates()) as [string, string];
    expect([hidden > a, same]).toEqual([true, b]);
    await backend.maintenance.rebuild({ allowsShrink: true });
    expect(await dates()).toEqual([hidden, b]);
    await backend.maintenance.unsuppress([suppressionKey('address', 'ann@daily.example')]);
    await backend.settle();
    const [back, still] = (await dates()) as [string, string];
    expect([back > hidden, still]).toEqual([true, b]);
  });

  it('stay hidden through a rebuild, and the index is what the store says', async () => {
    await importRows(rowsOf('a', [ann, bob]));
    await suppressAddress('ann@daily.example');
    await backend.maintenance.rebuild({ allowsShrink: true });
    expect(await shown()).toEqual(['a: Bob Two']);
    expect(await backend.maintenance.verify({ repairs: false })).toMatchObject({ missing: 0, extra: 0, stale: 0 });
  });
});

/** A list in all its orders. */
function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, place) => ordersOf(items.toSpliced(place, 1)).map((rest) => [first, ...rest]));
}

function byId(one: MediaRecord, other: MediaRecord): number {
  return one.id < other.id ? -1 : 1;
}

function nameOf({ name, title, email }: KeptContact): string {
  return name ?? title ?? email ?? '';
}

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { readSuppression } from '#records/read-suppression.ts';
import type { NamedKind } from '#records/suppression.ts';
import { LockTaken } from '#search/job-locks.ts';
import { everything, firstPage } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { testBackends } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const page = firstPage(100);
const records = [
  madeRecord({ id: 'a', name: 'Alpha Herald', email: 'Jane@mail.gone.example', country: 'FR' }),
  madeRecord({ id: 'b', name: 'Beta Herald', url: 'https://www.gone.example/news', country: 'FR' }),
  madeRecord({ id: 'c', name: 'Gamma Herald', feed_url: 'https://feeds.gone.example/rss' }),
  madeRecord({ id: 'd', name: 'Delta Herald', email: 'joe@stays.example', url: 'https://stays.example' }),
  madeRecord({ id: 'e', name: 'Epsilon Herald', email: 'jane@mail.gone.example' }),
];
/** Each with another trace of what is suppressed. */
const traces = [
  madeRecord({ id: 'f', name: 'Zeta Herald', email: 'ann+press@tag.example' }),
  madeRecord({ id: 'g', name: 'Eta Herald', email: 'joe@stays.example', email_source: 'https://www.trace.example/x' }),
  madeRecord({ id: 'h', name: 'Theta Herald', linkedin_url: 'https://in.trace.example/theta' }),
  madeRecord({ id: 'i', name: 'Iota Herald', aliases: ['Trace.example'] }),
];

describe.each(testBackends)('hidden records, $name', ({ name, open }) => {
  // The embedded store rebuilds its index in place, and keeps none to go back to.
  const buildsBeside = name !== 'embedded';
  const backend = useOne(open);
  beforeEach(() => backend.load(records));
  afterEach(async () => {
    await backend.maintenance.unsuppress((await backend.suppressions.list()).map(({ key }) => key));
    await backend.records.remove([...records, ...traces].map(({ id }) => id));
  });

  const keyOf = (kind: NamedKind, value: string) => {
    const read = readSuppression(kind, value);
    if ('fault' in read) throw new Error(read.fault);
    return read.key;
  };
  const suppress = (kind: NamedKind, value: string) =>
    backend.maintenance.suppress([{ key: keyOf(kind, value), reason: null, addedAt: new Date().toISOString() }]);
  const unsuppress = (kind: NamedKind, value: string) => backend.maintenance.unsuppress([keyOf(kind, value)]);

  /** The ids that search, text search, facets, scan and record reads find: the same, whichever is asked. In capitals: with a contact. */
  async function found(): Promise<string> {
    const { index } = backend;
    const ids = (list: readonly MediaRecord[]) =>
      list
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .map(({ id, contact_count }) => (contact_count > 0 ? id.toUpperCase() : id))
        .join('');
    const all = await index.search(everything, page, 'full');
    const byText = await index.search({ text: understand('herald'), filters: [] }, page, 'masked');
    const scan = await index.scan(everything);
    const scanned = (await Array.fromAsync(scan)).flat();
    const asked = [...records, ...traces].map(({ id }) => id);
    const read = await index.findMany(asked, 'full');
    expect(ids(await index.findMany(asked, 'masked'))).toBe(ids(read));
    const facets = await index.countFacets(everything);
    expect([all.total, byText.total, scan.total, facets.total]).toEqual(Array(4).fill(all.records.length));
    expect(facets.counts.country).toEqual(
      [{ value: 'FR', count: all.records.filter(({ country }) => country === 'FR').length }].filter(
        ({ count }) => count > 0,
      ),
    );
    expect([ids(byText.records), ids(scanned), ids(read)]).toEqual(Array(3).fill(ids(all.records)));
    return ids(all.records);
  }

  it.each([
    ['address', 'Jane <JANE@mail.gone.example>', 'abcDe', 0, 2],
    ['domain', 'https://gone.example', 'aDe', 2, 2],
    ['domain', 'mail.gone.example', 'abcDe', 0, 2],
    ['record', 'd', 'AbcE', 1, 0],
    ['record', 'of nobody', 'AbcDE', 0, 0],
  ] as const)('are not found once a suppression of the %s %s returns', async (kind, value, left, records, contacts) => {
    const { hidden } = await backend.maintenance.planSuppression([keyOf(kind, value)]);
    expect(hidden).toEqual({ records, contacts });
    expect(await found()).toBe('AbcDE');
    const counts = { hidden: records, hidden_contacts: contacts };
    expect(await suppress(kind, value)).toEqual({ added: 1, known: 0, ...counts });
    expect(await found()).toBe(left);
    expect(await backend.records.count()).toBe(5);
    expect(await suppress(kind, value)).toEqual({ added: 0, known: 1, hidden: 0, hidden_contacts: 0 });
  });

  it.each([
    ['address', 'Ann@tag.example', 'AbcDEfGhi', 0, 1],
    ['address', 'ann+other@tag.example', 'AbcDEFGhi', 0, 0],
    ['domain', 'trace.example', 'AbcDEFg', 2, 1],
  ] as const)(
    'include those whose only trace is a tag, a source, a page or a name: %s %s',
    async (kind, value, left, hidden, hidden_contacts) => {
      await backend.load(traces);
      expect(await suppress(kind, value)).toEqual({ added: 1, known: 0, hidden, hidden_contacts });
      expect(await found()).toBe(left);
      await backend.records.merge(traces.map((record) => ({ ...record, description: 'imported again' })));
      await backend.settle();
      expect(await found()).toBe(left);
    },
  );

  it('are hidden even if an earlier attempt stopped after writing the list', async () => {
    const key = keyOf('record', 'd');
    await backend.suppressions.add([{ key, reason: null, addedAt: new Date().toISOString() }]);
    await suppress('record', 'd');
    expect(await found()).toBe('AbcE');
  });

  it('stay hidden through imports, also of new records, a rebuild and a rollback', async () => {
    await backend.maintenance.rebuild({ allowsShrink: true });
    await suppress('domain', 'gone.example');
    await backend.records.merge([
      { id: 'b', description: 'imported again' },
      madeRecord({ id: 'f', name: 'Zeta Herald', url: 'https://new.gone.example' }),
    ]);
    await backend.settle();
    expect(await found()).toBe('aDe');
    await backend.maintenance.rebuild({ allowsShrink: true });
    expect(await found()).toBe('aDe');
    if (buildsBeside) await backend.maintenance.rollBack(null);
    expect(await found()).toBe('aDe');
  });

  it('are found again in their current state once the last suppression that hides them is removed', async () => {
    await suppress('domain', 'gone.example');
    await suppress('address', 'jane@mail.gone.example');
    await backend.records.merge([{ id: 'b', name: 'Better Herald' }]);
    expect(await unsuppress('domain', 'gone.example')).toEqual({ removed: 1, shown: 2, shown_contacts: 0 });
    expect(await found()).toBe('abcDe');
    expect(await backend.index.findMany(['b'], 'full')).toMatchObject([{ name: 'Better Herald' }]);
    const back = await unsuppress('address', 'jane@mail.gone.example');
    expect(back).toEqual({ removed: 1, shown: 0, shown_contacts: 2 });
    expect(await found()).toBe('AbcDE');
    expect(await unsuppress('address', 'jane@mail.gone.example')).toMatchObject({ removed: 0 });
  });

  if (buildsBeside) {
    it('are found in an index after a rollback, once they are not suppressed any more', async () => {
      await suppress('domain', 'gone.example');
      await backend.maintenance.rebuild({ allowsShrink: true });
      await unsuppress('domain', 'gone.example');
      expect(await found()).toBe('AbcDE');
      await backend.maintenance.rollBack(null);
      expect(await found()).toBe('AbcDE');
    });

    it('are not shown while an index is built beside, and the list stays as it is', async () => {
      await suppress('record', 'd');
      const lock = await backend.locks.acquire('reindex');
      try {
        await expect(unsuppress('record', 'd')).rejects.toThrow(LockTaken);
      } finally {
        await lock.release();
      }
      expect(await backend.suppressions.list()).toHaveLength(1);
      expect(await found()).toBe('AbcE');
    });
  }

  it('match the list, whatever is suppressed at the same time', async () => {
    await suppress('record', 'a');
    await Promise.all([
      unsuppress('record', 'a'),
      suppress('record', 'a'),
      suppress('record', 'b'),
      suppress('record', 'd'),
    ]);
    const keys = (await backend.suppressions.list()).map(({ key }) => key);
    expect(await found()).toBe(keys.includes(keyOf('record', 'a')) ? 'cE' : 'AcE');
  });

  it('include those that were deleted, at once, but not one that came back meanwhile', async () => {
    await backend.records.remove(['a', 'b']);
    await backend.records.merge([madeRecord({ id: 'b', name: 'Beta Herald', country: 'FR' })]);
    await backend.maintenance.hideDeleted(['a', 'b']);
    expect(await found()).toBe('bcDE');
  });
});

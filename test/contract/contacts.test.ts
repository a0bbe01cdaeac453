import { describe, expect, it } from 'vitest';
import { plans } from '#accounts/plans.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { filterSchema, toSearchQuery } from '#http/parse/query-parameters.ts';
import { readParameters } from '#http/parse/read-parameters.ts';
import { exportRecords } from '#outbound/export-records.ts';
import type { KeptContact } from '#records/contacts/contact.ts';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { suppressionKey } from '#records/suppression.ts';
import { contactOfRow } from '#search/contact-row.ts';
import type { Page, SearchQuery, Sort } from '#search/search-query.ts';
import { listFormats } from '#src/encodings/formats.ts';
import { leadTools } from '#src/lead-tools/lead-tools.ts';
import { testBackends } from '#testing/backends.ts';
import { readCases } from '#testing/cases.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const valid = { email_status: 'valid' } as const;
const person = (id: string, name: string, more: Partial<KeptContact> = {}) => madeContact({ id, name, ...more });

const ann = person('ann', 'Ann Oneill', {
  title: 'Education Reporter',
  beats: ['Schools', 'Higher Education'],
  email: 'ann.oneill@daily-a.example',
  ...valid,
});
const bob = person('bob', 'Bob Twomey', { title: 'Sports Editor', beats: ['Football', 'Sports'] });
const cem = person('cem', 'Cem Threlfall', {
  title: 'News Editor',
  email: 'cem@daily-a.example',
  email_status: 'invalid',
});
const desk = madeContact({ id: 'desk', email: 'news@daily-a.example', ...valid });
const dora = person('dora', 'Dora Fourie', {
  title: 'Climate correspondent',
  beats: ['Climate', 'Energy'],
  email: 'shared@gazette-b.example',
  ...valid,
});
const eve = person('eve', 'Eve Fiveash', { title: 'Reporter', beats: ['Climate'], email: 'eve@gazette-b.example' });
const otherAnn = person('ann2', 'Oneill, Ann', { title: 'Host', email: 'shared@gazette-b.example' });
const robot = madeContact({ id: 'robot', email: 'no-reply@pod-c.example' });

const records = [
  madeRecord({
    id: 'a',
    name: 'Daily Albatross',
    url: 'https://daily-a.example/',
    type: 'newspaper',
    country: 'US',
    region: 'Massachusetts',
    city: 'Boston',
    language: 'en',
    audience: 9_000,
    contacts: [cem, bob, desk, ann],
  }),
  madeRecord({
    id: 'b',
    name: 'Gazette Bittern',
    url: 'https://gazette-b.example/',
    type: 'magazine',
    country: 'US',
    region: 'Texas',
    city: 'Austin',
    language: 'en',
    categories: ['science'],
    audience: 50_000,
    description: 'Stories of quicksand.',
    contacts: [dora, eve],
  }),
  madeRecord({
    id: 'c',
    kind: 'podcast',
    name: 'Cormorant Hour',
    country: 'GB',
    city: 'Leeds',
    language: 'en',
    tags: ['wetlands'],
    contacts: [robot, otherAnn],
  }),
  madeRecord({ id: 'd', name: 'Dipper Review', country: 'FR', audience: 100 }),
];

const key = { hash: 'hash', plan: { tier: 'premium', expiresAt: '2030-01-01T00:00:00.000Z' } } as StoredKey;
const now = new Date('2026-11-21T12:00:00.000Z');
const csv = listFormats(leadTools)[0];
const relevance: Sort = { key: 'relevance', reversed: false };
const everyKind = 'kind=outlet|podcast|newsletter';

const nameOf = (row: MediaRecord) => `${row.id} ${contactOfRow(row)?.id}`;

function queryOf(search: string, visibility: Visibility): SearchQuery {
  const { text, ...query } = toSearchQuery(readParameters(`/?${search}`, filterSchema).values);
  const addresses = visibility === 'full' ? (text?.typedAddresses ?? []) : [];
  return { ...query, text: text && { ...text, addresses } };
}

/** Contract A18: GET /contacts, and people in searches of media. */
describe.each(testBackends)('contacts, $name', ({ open }) => {
  const backend = useOne(open, (one) => one.load(records));

  /** The contacts that a search finds in its order, after its pages, total, facets and export were compared. */
  async function found(
    search: string,
    { sort = relevance, visibility = 'full' as Visibility } = {},
  ): Promise<string[]> {
    const query: SearchQuery = { ...queryOf(search, visibility), rows: 'contacts' };
    const read = async (page: Omit<Page, 'sort'>) => backend.index.search(query, { sort, ...page }, visibility);
    const { records: rows, total, dropped } = await read({ offset: 0, limit: 100 });
    const names = rows.map(nameOf);
    expect(total).toBe(names.length);
    const paged: string[] = [];
    for (let offset = 0; offset < names.length; offset += 3)
      paged.push(...(await read({ offset, limit: 3 })).records.map(nameOf));
    expect(paged).toEqual(names);
    expect((await backend.index.countFacets(query)).total).toBe(total);
    if (dropped.length === 0 && csv !== undefined && visibility === 'full') {
      const request = { query: queryOf(`${search}&${everyKind}`, visibility), format: csv, rows: 'contacts' as const };
      const scan = await exportRecords({ plans, ...backend }, request, key, now);
      const exported = (await Array.fromAsync(scan)).flat().map(nameOf);
      await scan.close();
      expect(scan.total).toBe(total);
      expect(exported.toSorted()).toEqual(names.toSorted());
    }
    return names;
  }

  async function foundMedia(search: string, visibility: Visibility = 'full'): Promise<string[]> {
    const { records: media } = await backend.index.search(
      queryOf(search, visibility),
      { sort: relevance, offset: 0, limit: 100 },
      visibility,
    );
    return media.map(({ id }) => id);
  }

  it('are all, by the audience of their media and then in their order', async () => {
    expect(await found('')).toEqual(['b dora', 'b eve', 'a ann', 'a desk', 'a cem', 'a bob', 'c ann2', 'c robot']);
  });

  it.each(
    readCases<[way: string, q: string, contacts: string[], media: string[] | null]>(
      new URL('found-contacts.tsv', import.meta.url),
    ),
  )('are found by %s: %s', async (_way, q, contacts, media) => {
    expect(await found(`q=${q}`)).toEqual(contacts);
    if (media !== null) expect((await foundMedia(`q=${q}`)).toSorted()).toEqual(media);
  });

  it('say that a text was corrected, and which of its words they lack', async () => {
    const search = async (q: string) =>
      backend.index.search(
        { ...queryOf(`q=${q}`, 'full'), rows: 'contacts' },
        { sort: relevance, offset: 0, limit: 9 },
        'full',
      );
    expect(await search('dora forie')).toMatchObject({ isCorrected: true, dropped: [], total: 1 });
    expect(await search('dora fourie')).toMatchObject({ isCorrected: false, dropped: [], total: 1 });
    expect(await search('dora fourie zebedee')).toMatchObject({ isCorrected: true, dropped: [['zebedee']], total: 1 });
    expect(await search('dora forie&strict=1')).toMatchObject({ total: 0 });
    expect(await search('dora fourie zebedee&whole=1')).toMatchObject({ total: 0 });
  });

  it('that meet more words themselves come first', async () => {
    await backend.load([
      madeRecord({
        id: 'e',
        name: 'Climate Egret',
        country: 'US',
        audience: 1_000_000,
        contacts: [person('fay', 'Fay Six', valid)],
      }),
    ]);
    expect(await found('q=climate')).toEqual(['b dora', 'b eve', 'e fay']);
    await backend.records.remove(['e']);
    await backend.settle();
  });

  it.each([
    ['an address, its contacts alone', 'ann.oneill@daily-a.example', ['a ann'], ['a']],
    ['an address in any case', 'Ann <ANN.ONEILL@Daily-A.example>', ['a ann'], ['a']],
    ['an address of two', 'shared@gazette-b.example', ['c ann2', 'b dora'], ['b', 'c']],
    ['an unknown address, those at its host', 'nobody@daily-a.example', ['a ann', 'a desk', 'a cem', 'a bob'], ['a']],
  ])('are found by %s', async (_way, q, contacts, media) => {
    expect((await found(`q=${q}`)).toSorted()).toEqual(contacts.toSorted());
    expect((await foundMedia(`q=${q}`)).toSorted()).toEqual(media);
  });

  it('tell masked callers nothing of an address', async () => {
    for (const local of ['ann.oneill', 'nobody', 'a***'])
      expect(await found(`q=${local}@daily-a.example`, { visibility: 'masked' })).toEqual([
        'a ann',
        'a desk',
        'a cem',
        'a bob',
      ]);
    const { records: rows } = await backend.index.search(
      { text: null, filters: [], rows: 'contacts' },
      { sort: relevance, offset: 0, limit: 100 },
      'masked',
    );
    expect(rows.map((row) => contactOfRow(row)?.email)).toEqual([
      's***@gazette-b.example',
      'e***@gazette-b.example',
      'a***@daily-a.example',
      'n***@daily-a.example',
      'c***@daily-a.example',
      null,
      's***@gazette-b.example',
      'n***@pod-c.example',
    ]);
  });

  it.each(readCases<[search: string, contacts: string[]]>(new URL('filtered-contacts.tsv', import.meta.url)))(
    'pass filters about them and their media: %s',
    async (search, contacts) => {
      expect((await found(search)).toSorted()).toEqual(contacts);
    },
  );

  it.each([
    ['beat=climate', ['b']],
    ['beat=football&title=reporter', []],
    ['beat=football&title=editor', ['a']],
    ['beat=!climate', ['a', 'c', 'd']],
    ['contact_kind=automatic', ['c']],
    ['title=news editor&named=1', ['a']],
  ])('media pass the same filters by one of them: %s', async (search, media) => {
    expect((await foundMedia(search)).toSorted()).toEqual(media);
  });

  it('are sorted by name, unknown ones last, and by the change of their record', async () => {
    const byName = await found('', { sort: { key: 'name', reversed: false } });
    expect(byName).toEqual(['a ann', 'a bob', 'a cem', 'b dora', 'b eve', 'c ann2', 'a desk', 'c robot']);
    const reversed = await found('', { sort: { key: 'name', reversed: true } });
    expect(reversed).toEqual(['c ann2', 'b eve', 'b dora', 'a cem', 'a bob', 'a ann', 'a desk', 'c robot']);
    const byChange = await found('q=climate', { sort: { key: 'updated', reversed: false } });
    expect(byChange).toEqual(['b dora', 'b eve']);
  });

  it('are counted by the values of their media and by beats; media with a contact that passes', async () => {
    const count = async (search: string, rows: Pick<SearchQuery, 'rows'>) =>
      (await backend.index.countFacets({ ...queryOf(search, 'masked'), ...rows })).counts;
    const told = (values: readonly { value: string; count: number }[]) =>
      values.map(({ value, count }) => `${value} ${count}`);
    const ofContacts = await count('', { rows: 'contacts' });
    expect(told(ofContacts.country)).toEqual(['US 6', 'GB 2']);
    expect(told(ofContacts.beats).slice(0, 2)).toEqual(['Climate 2', 'Energy 1']);
    const ofMedia = await count('', {});
    expect(told(ofMedia.beats).slice(0, 2)).toEqual(['Climate 1', 'Energy 1']);
    expect(told((await count('title=reporter', {})).beats)).toEqual(['Climate 1', 'Higher Education 1', 'Schools 1']);
    expect(told((await count('beat=football', { rows: 'contacts' })).country)).toEqual(['US 1']);
    expect((await count('beat=football', { rows: 'contacts' })).beats).toHaveLength(ofContacts.beats.length);
  });

  it('follow changes, deletions and suppressions of a record', async () => {
    const [first] = records;
    if (first === undefined) throw new Error('there are no records');
    await backend.load([{ ...first, contacts: [ann, person('gil', 'Gil Seven', { title: 'Critic' })] }]);
    expect(await found('id=a')).toEqual(['a ann', 'a gil']);
    expect(await found('q=bob twomey')).toEqual([]);
    expect(await foundMedia('q=gil seven')).toEqual(['a']);
    const hidden = suppressionKey('address', 'ann.oneill@daily-a.example');
    await backend.maintenance.suppress([{ key: hidden, reason: null, addedAt: now.toISOString() }]);
    expect(await found('id=a')).toEqual(['a gil']);
    expect(await foundMedia('q=education reporter')).toEqual([]);
    await backend.maintenance.unsuppress([hidden]);
    await backend.load([first]);
    expect(await found('id=a')).toEqual(['a ann', 'a desk', 'a cem', 'a bob']);
    expect(await backend.maintenance.verify({ repairs: false })).toMatchObject({ missing: 0, extra: 0, stale: 0 });
  });
});

describe.each(testBackends)('people asked for by their titles, $name', ({ open }) => {
  const editor = (id: string, title: string, beats: string[], email: string | null = null) =>
    person(id, `Kim ${id}`, { title, beats, email, ...(email !== null && valid) });
  const inCork = { city: 'Cork', country: 'IE' };
  const editors = [
    madeRecord({
      ...{ id: 'big', name: 'Big Daily', audience: 900, ...inCork },
      contacts: [editor('beat', 'Managing Editor', ['News', 'Sports'], 'kim@big.example')],
    }),
    madeRecord({
      ...{ id: 'small', name: 'Small Daily', audience: 100, tags: ['Vine'], ...inCork },
      contacts: [editor('sports', 'Sports Editor', []), editor('news', 'News Editor', ['Sports'])],
    }),
    madeRecord({
      ...{ id: 'abroad', name: 'Cork Vine', audience: 9_000, city: 'Sofia', country: 'BG' },
      contacts: [editor('vine', 'News Editor', [], 'kim@vine.example')],
    }),
    madeRecord({
      ...{ id: 'begun', name: 'Sandesh Weekly', audience: 9_000, country: 'IN' },
      contacts: [editor('begun', 'Photo Editor', [], 'kim@begun.example')],
    }),
    madeRecord({
      ...{ id: 'whole', name: 'Weekly Lark', city: 'Sand', country: 'NO' },
      contacts: [editor('whole', 'Photo Editor', [])],
    }),
  ];
  const backend = useOne(open, (one) => one.load(editors));

  it.each([
    ['news editor cork', ['news', 'beat', 'vine', 'sports']],
    ['cork sports editor', ['sports', 'beat', 'news']],
    ['editor cork', ['beat', 'sports', 'news', 'vine']],
    ['editor cork vine', ['vine', 'sports', 'news']],
    ['photo editor sand', ['whole', 'begun']],
  ])(
    'come first where the words are side by side in the title, the medium stands in the place, and all words are whole: %s',
    async (q, ids) => {
      const query: SearchQuery = { ...queryOf(`q=${q}`, 'masked'), rows: 'contacts' };
      const { records: rows } = await backend.index.search(query, { sort: relevance, offset: 0, limit: 10 }, 'masked');
      expect(rows.map((row) => contactOfRow(row)?.id)).toEqual(ids);
    },
  );
});

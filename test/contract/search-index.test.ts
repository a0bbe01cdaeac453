import { describe, expect, it, onTestFinished } from 'vitest';
import type { RangeBound } from '#records/field-definition.ts';
import type { FilterField, RangeField } from '#records/fields.ts';
import { splitSecret } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { hostCondition, tiersByProminence } from '#search/conditions/conditions.ts';
import { everything, type Filter, firstPage, type Page, type SearchQuery, type Sort } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { Problem } from '#src/problem.ts';
import { storedRecord, testBackends } from '#testing/backends.ts';
import { readCases } from '#testing/cases.ts';
import { fiveMedia, madePatch, madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const all = firstPage(100);

describe.each(testBackends)('the search index, $name', ({ open }) => {
  const backend = useOne(open, (backend) => backend.load(fiveMedia));

  async function ids(query: Partial<SearchQuery>, page: Partial<Page> = {}): Promise<string[]> {
    const found = await backend.index.search({ ...everything, ...query }, { ...all, ...page }, 'masked');
    return found.records.map(({ id }) => id);
  }
  const filtered = (...filters: Filter[]) => ids({ filters });

  it('returns records as they were stored to callers who may see addresses', async () => {
    const stored = await storedRecord(backend.stored, 'times');
    expect(await backend.index.findMany(['times'], 'full')).toEqual([stored]);
    const { records: found } = await backend.index.search(everything, all, 'full');
    expect(found.find(({ id }) => id === 'times')).toEqual(stored);
    expect(Object.keys(found[0] ?? {})).toEqual(Object.keys(stored ?? {}));
  });

  it('returns masks and no sources to callers who may not', async () => {
    const stored = await storedRecord(backend.stored, 'times');
    const { masked } = splitSecret(stored as MediaRecord);
    expect(masked).toMatchObject({ email: 'd***@times.example', email_source: null });
    expect(await backend.index.findMany(['times'], 'masked')).toEqual([masked]);
    const { records: found } = await backend.index.search(everything, all, 'masked');
    expect(found.find(({ id }) => id === 'times')).toEqual(masked);
    expect(JSON.stringify(found)).not.toMatch(/desk@|studio@/);
    // Also if the address found there is gone.
    expect(await backend.index.findMany(['pod'], 'full')).toMatchObject([
      { email_source: 'https://cast.example/about' },
    ]);
    expect(await backend.index.findMany(['pod'], 'masked')).toMatchObject([{ email: null, email_source: null }]);
  });

  it.each(readCases<[key: Sort['key'], reversed: boolean, sorted: string]>(new URL('sorted.tsv', import.meta.url)))(
    'without a text sorts by %s, reversed %s, unknown last: %s',
    async (key, reversed, sorted) => {
      expect((await ids({}, { sort: { key, reversed } })).join(' ')).toBe(sorted);
    },
  );

  it('finds nothing for a phrase with a word that no record has, also beside a name', async () => {
    // Soon, the service knows all words.
    for (let turn = 0; turn < 10; turn += 1) {
      const asked = { ...everything, text: understand('"unknownword paper" cast away') };
      expect(await ids(asked)).toEqual([]);
      expect(await backend.index.countFacets(asked)).toMatchObject({ total: 0 });
    }
  });

  const any = (field: FilterField, any: string[], none: string[] = []): Filter => ({ field, any, none });
  const news = any('categories', ['general_news']);
  it.each<[string, Filter[], string]>([
    ['any of the values', [any('country', ['GB', 'CH'])], 'times radio'],
    ['none of the negated ones, and unknown stay', [any('country', [], ['GB'])], 'radio letter echo pod'],
    ['both', [any('country', ['GB', 'CH'], ['GB'])], 'radio'],
    ['lists of values', [any('categories', ['music', 'technology'])], 'radio letter pod'],
    ['lists without a value', [any('categories', ['music'], ['comedy'])], 'radio'],
    ['several negated values', [any('type', [], ['newspaper', 'radio'])], 'letter pod'],
    ['open values as a whole, folded', [any('city', ['zurich'])], 'radio'],
    ['no part of an open value', [any('city', ['zur'])], ''],
    ['open values of a region', [any('region', ['england'])], 'times'],
    ['all filters', [news, any('language', ['fr'])], 'echo'],
    ['all filters, presence too', [news, { present: 'contact_name' }], 'times'],
    ['a known address and its status', [{ present: 'email' }, any('email_status', [], ['invalid'])], 'times'],
    ['a named contact', [{ present: 'contact_name' }], 'times letter'],
  ])('filters by %s', async (_, filters, found) => {
    expect((await filtered(...filters)).join(' ')).toBe(found);
  });

  it('keeps records with a known value within the bounds', async () => {
    const range = (range: RangeField, bound: RangeBound, value: number | string): Filter => ({ range, bound, value });
    expect(await filtered(range('audience', 'from', 700))).toEqual(['times', 'radio']);
    expect(await filtered(range('audience', 'to', 700))).toEqual(['radio', 'letter', 'echo']);
    expect(await filtered(range('audience', 'from', 501), range('audience', 'to', 899))).toEqual(['radio']);
    expect(await filtered(range('audience', 'from', 0))).not.toContain('pod');
    expect(await filtered(range('audience', 'to', Number.MAX_SAFE_INTEGER))).toHaveLength(4);
    expect(await filtered(range('audience', 'from', 800), range('audience', 'to', 600))).toEqual([]);

    expect(await filtered(range('updated_at', 'from', '2026-01-04T00:00:00.000Z'))).toEqual(['times', 'echo']);
    expect(await filtered(range('updated_at', 'from', '2026-01-04T00:00:00.001Z'))).toEqual(['times']);
    expect(await filtered(range('updated_at', 'before', '2026-01-02T00:00:00.000Z'))).toEqual(['letter']);
    expect(await filtered(range('updated_at', 'from', '0000-01-01T00:00:00.000Z'))).toHaveLength(5);
    expect(await filtered(range('updated_at', 'from', '9999-12-31T23:59:59.999Z'))).toEqual([]);
    expect(await filtered(range('created_at', 'from', '2025-03-01T00:00:00.000Z'))).toEqual(['times', 'radio']);
    expect(await filtered(range('created_at', 'before', '2025-03-01T00:00:00.000Z'))).toEqual([
      'letter',
      'echo',
      'pod',
    ]);

    expect(await filtered(range('last_verified_at', 'from', '2025-12-31T23:59:59.999Z'))).toEqual(['times', 'radio']);
    expect(await filtered(range('last_verified_at', 'from', '2026-01-01T00:00:00.000Z'))).toEqual(['times']);
  });

  it('keeps the records that are named, by id or by host', async () => {
    const id = (any: string[], none: string[] = []): Filter => ({ identity: 'id', any, none });
    expect(await filtered(id(['radio', 'pod', 'absent', 'RADIO', '\ud800', 'x'.repeat(40_000)]))).toEqual([
      'radio',
      'pod',
    ]);
    expect(await filtered(id([], ['radio', 'pod']))).toEqual(['times', 'letter', 'echo']);
    expect(await filtered(id(['radio', 'pod'], ['pod']))).toEqual(['radio']);
    expect(await filtered(id([]))).toHaveLength(5);

    const host = (any: string[], none: string[] = []): Filter => ({ identity: 'url', any, none });
    expect(await filtered(host(['zuerich-media.example', 'times.example']))).toEqual(['times', 'radio']);
    expect(await filtered(host(['live.zuerich-media.example', 'media.example', 'absent.example']))).toEqual([]);
    expect(await filtered(host([], ['times.example']))).toEqual(['radio', 'letter', 'echo', 'pod']);
    expect(await filtered(host([]), id(['times'], ['radio']))).toEqual(['times']);
  });

  it.each(['times.example', 'zuerich-media.example', 'radio.zuerich-media.example', 'radio.example'])(
    'finds the same by a host as a filter and as a text: %s',
    async (host) => {
      const found = await filtered({ identity: 'url', any: [host], none: [] });
      expect(found.length).toBeGreaterThan(0);
      expect(found.toSorted()).toEqual((await ids({ text: understand(host) })).toSorted());
    },
  );

  it('treats hostile filter values as values', async () => {
    for (const value of ["' OR 1=1 --", '*', '"', '\\', '{"match_all":{}}', '\u0000', '\ud800', 'x'.repeat(40_000)]) {
      expect(await filtered({ field: 'city', any: [value], none: [] })).toEqual([]);
      expect(await filtered({ field: 'city', any: [], none: [value] })).toHaveLength(5);
    }
  });

  it('counts exactly, on every page and past the end', async () => {
    for (const [offset, limit, expected] of [
      [0, 2, 2],
      [2, 2, 2],
      [4, 2, 1],
      [6, 2, 0],
      [9_990, 100, 0],
      [999_999_999_999_980, 20, 0],
    ] as const) {
      const found = await backend.index.search(everything, { ...all, offset, limit }, 'masked');
      expect(found.total).toBe(5);
      expect(found.records).toHaveLength(expected);
    }
    expect((await backend.index.search({ text: understand('weekly'), filters: [] }, all, 'masked')).total).toBe(1);
  });

  it.each([
    ['zürich', [], false],
    // Found by the strict query alone: the fuzzy one finds no more.
    ['radio', [], false],
    ['zürihc', [], true],
    // The filter leaves nothing that was forgiven.
    ['zürihc', [{ field: 'country', any: ['GB'], none: [] }], false],
    ['xqzwvk', [], false],
    ['-radio', [], false],
  ] satisfies [string, Filter[], boolean][])(
    'says whether records were found only by what was forgiven: %s, %j',
    async (q, filters, isCorrected) => {
      const query: SearchQuery = { text: understand(q), filters };
      const found = await backend.index.search(query, all, 'masked');
      expect(found.isCorrected).toBe(isCorrected);
      const pastTheEnd = await backend.index.search(query, { ...all, offset: 100 }, 'masked');
      expect(pastTheEnd.isCorrected).toBe(isCorrected);
      expect((await backend.index.countFacets(query)).isCorrected).toBe(isCorrected);
    },
  );

  it('finds only what the strict query finds if it is asked to, in pages, counts and scans', async () => {
    const typed = understand('zürihc');
    const exact = understand('zürich');
    if (typed === null || exact === null) throw new Error('nothing was typed');
    expect(await ids({ text: typed })).toEqual(['radio']);
    expect(await ids({ text: { ...exact, isStrict: true } })).toEqual(['radio']);
    const strict: SearchQuery = { text: { ...typed, isStrict: true }, filters: [] };
    expect(await backend.index.search(strict, all, 'masked')).toEqual({
      records: [],
      total: 0,
      isCorrected: false,
      dropped: [],
    });
    expect(await backend.index.countFacets(strict)).toMatchObject({ total: 0, isCorrected: false });
    const scan = await backend.index.scan(strict);
    await scan.close();
    expect(scan.total).toBe(0);
  });

  it('reflects every change of the records', async () => {
    const own = await open();
    onTestFinished(() => own.close());
    await own.load([madeRecord({ id: 'a', name: 'Alpha Post' })]);
    const find = async (q: string) => {
      await own.settle();
      const found = await own.index.search({ text: understand(q), filters: [] }, all, 'masked');
      return found.records.map(({ id }) => id);
    };
    expect(await find('alpha')).toEqual(['a']);
    await own.records.merge([madePatch({ id: 'a', name: 'Omega Post', email: 'x@omega.example' })]);
    expect(await find('alpha')).toEqual([]);
    expect(await find('omgea')).toEqual(['a']);
    await own.records.remove(['a']);
    expect(await find('omega')).toEqual([]);
    expect((await own.index.countFacets(everything)).total).toBe(0);
  });

  it('finds all records with a name near a mistyped one, however many names are', async () => {
    const own = await open();
    onTestFinished(() => own.close());
    const letters = [...'abcdefghij'];
    const names = letters.flatMap((one) => letters.map((other) => `Gazeteria${one}${other}`));
    await own.load(names.map((name) => madeRecord({ id: name, name })));
    await own.settle();
    const query: SearchQuery = { text: understand('gazeteria99'), filters: [] };
    expect((await own.index.search(query, all, 'masked')).total).toBe(names.length);
    expect((await own.index.countFacets(query)).total).toBe(names.length);
  });

  it('finds the first record of each of several plans, with addresses only if they may be seen', async () => {
    const planOf = (host: string) => {
      const condition = hostCondition([host]);
      return { match: condition, tiers: tiersByProminence('rest', [condition]), nameKey: '' };
    };
    const plans = ['radio.example', 'absent.example', 'times.example', 'times.example'].map(planOf);
    const first = await backend.index.findFirst(plans, [], 'full');
    expect(first.map(({ record, total }) => [record?.id ?? null, total])).toEqual([
      ['radio', 1],
      [null, 0],
      ['times', 1],
      ['times', 1],
    ]);
    expect(first[2]?.record).toEqual(await storedRecord(backend.stored, 'times'));
    const podcasts: Filter = { field: 'kind', any: ['podcast'], none: [] };
    expect(await backend.index.findFirst(plans.slice(2), [podcasts], 'full')).toEqual(
      Array(2).fill({ record: null, total: 0 }),
    );
    const many = [
      ...Array.from({ length: 199 }, (_, index) => planOf(`absent${index}.example`)),
      planOf('times.example'),
    ];
    expect((await backend.index.findFirst(many, [], 'masked')).at(-1)).toMatchObject({
      record: { email: 'd***@times.example' },
      total: 1,
    });
    expect(await backend.index.findFirst([], [], 'full')).toEqual([]);
  });

  it('finds many records by id, if they exist, with addresses only for callers who may see them', async () => {
    const ids = ['times', 'radio', 'nowhere', 'times', '', 'x'.repeat(2_000)];
    const full = await backend.index.findMany(ids, 'full');
    expect(full.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      await storedRecord(backend.stored, 'radio'),
      await storedRecord(backend.stored, 'times'),
    ]);
    const masked = await backend.index.findMany(ids, 'masked');
    expect(masked.map(({ email, email_source }) => [email, email_source]).toSorted()).toEqual([
      ['d***@times.example', null],
      ['s***@radio.example', null],
    ]);
    expect(await backend.index.findMany([], 'full')).toEqual([]);
    const many = [...Array.from({ length: 998 }, (_, index) => `absent-${index}`), 'times', 'radio'];
    expect(await backend.index.findMany(many, 'full')).toHaveLength(2);
  });

  it('does not report our own errors as an outage, so that they are answered and logged as errors', async () => {
    const broken = { text: null, filters: null } as unknown as SearchQuery;
    const faults = [
      () => backend.index.search(broken, all, 'masked'),
      () => backend.index.search(everything, { ...all, sort: null as unknown as Page['sort'] }, 'masked'),
      () => backend.index.countFacets(broken),
      () => backend.index.scan(broken),
    ];
    for (const ask of faults) {
      const error = await ask().catch((reason: unknown) => reason);
      expect(error, String(ask)).toBeInstanceOf(Error);
      expect(error, String(ask)).not.toBeInstanceOf(Problem);
    }
    expect((await backend.index.search(everything, all, 'masked')).total).toBeGreaterThan(0);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RangeBound } from '#records/field-definition.ts';
import type { RangeField } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { audienceSteps } from '#search/audience-steps.ts';
import { parseTextQuery } from '#search/parse-text-query.ts';
import type { Filter, Page, SearchQuery } from '#search/search-query.ts';
import { Problem } from '#src/problem.ts';
import { storedRecord, type TestBackend, testBackends } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';

const firstPage: Page = { sort: { key: 'relevance', reversed: false }, offset: 0, limit: 100 };
const everything: SearchQuery = { text: null, filters: [] };

const records: readonly MediaRecord[] = [
  madeRecord({
    id: 'times',
    name: 'The Times',
    audience: 900,
    country: 'GB',
    region: 'England',
    city: 'London',
    type: 'newspaper',
    categories: ['general_news', 'politics'],
    coverage: 'national',
    language: 'en',
    email: 'desk@times.example',
    email_status: 'valid',
    email_source: 'https://times.example/contact',
    contact_name: 'Ann Dee',
    url: 'https://www.times.example/',
    last_verified_at: '2026-01-05T10:00:00.000Z',
    updated_at: '2026-01-05T00:00:00.000Z',
  }),
  madeRecord({
    id: 'echo',
    name: "L'Écho de Liège",
    audience: 500,
    country: 'BE',
    city: 'Liège',
    type: 'newspaper',
    categories: ['general_news'],
    coverage: 'regional',
    language: 'fr',
    updated_at: '2026-01-04T00:00:00.000Z',
  }),
  madeRecord({
    id: 'radio',
    name: 'Radio Zürich',
    url: 'https://radio.zuerich-media.example/live',
    last_verified_at: '2025-12-31T23:59:59.999Z',
    audience: 700,
    country: 'CH',
    city: 'Zürich',
    type: 'radio',
    categories: ['music'],
    language: 'de',
    email: 'studio@radio.example',
    email_status: 'invalid',
    updated_at: '2026-01-03T00:00:00.000Z',
  }),
  madeRecord({
    id: 'pod',
    kind: 'podcast',
    name: 'Cast Away',
    email_source: 'https://cast.example/about',
    categories: ['comedy', 'music'],
    language: 'en',
    updated_at: '2026-01-02T00:00:00.000Z',
  }),
  madeRecord({
    id: 'letter',
    kind: 'newsletter',
    name: 'Äther Weekly',
    audience: 500,
    country: 'US',
    city: 'Springfield',
    categories: ['technology'],
    language: 'en',
    contact_name: 'Bo Lee',
    updated_at: '2026-01-01T00:00:00.000Z',
  }),
];

describe.each(testBackends)('the search index, $name', ({ open }) => {
  let backend: TestBackend;
  beforeAll(async () => {
    backend = await open();
    await backend.load(records);
  });
  afterAll(() => backend.close());

  async function ids(query: Partial<SearchQuery>, page: Partial<Page> = {}): Promise<string[]> {
    const found = await backend.index.search({ ...everything, ...query }, { ...firstPage, ...page }, 'masked');
    return found.records.map(({ id }) => id);
  }
  const filtered = (...filters: Filter[]) => ids({ filters });

  it('is ready', async () => {
    expect(await backend.index.isReady()).toBe(true);
  });

  it('returns records as they were stored to callers who may see addresses', async () => {
    const stored = await storedRecord(backend.stored, 'times');
    expect(await backend.index.find('times', 'full')).toEqual(stored);
    const { records: found } = await backend.index.search(everything, firstPage, 'full');
    expect(found.find(({ id }) => id === 'times')).toEqual(stored);
    expect(Object.keys(found[0] ?? {})).toEqual(Object.keys(stored ?? {}));
  });

  it('returns masks and no sources to callers who may not', async () => {
    const stored = await storedRecord(backend.stored, 'times');
    const masked = { ...stored, email: 'd***@times.example', email_source: null };
    expect(await backend.index.find('times', 'masked')).toEqual(masked);
    const { records: found } = await backend.index.search(everything, firstPage, 'masked');
    expect(found.find(({ id }) => id === 'times')).toEqual(masked);
    expect(JSON.stringify(found)).not.toMatch(/desk@|studio@/);
    // Also if the address found there is gone.
    expect(await backend.index.find('pod', 'full')).toMatchObject({ email_source: 'https://cast.example/about' });
    expect(await backend.index.find('pod', 'masked')).toMatchObject({ email: null, email_source: null });
  });

  it('finds no record by an id that does not exist', async () => {
    expect(await backend.index.find('unheard-of', 'full')).toBeNull();
    expect(await backend.index.find('', 'full')).toBeNull();
    expect(await backend.index.find('x'.repeat(2_000), 'masked')).toBeNull();
  });

  it('without a text, orders by audience, unknown last, then name, then id', async () => {
    expect(await ids({})).toEqual(['times', 'radio', 'letter', 'echo', 'pod']);
    expect(await ids({}, { sort: { key: 'relevance', reversed: true } })).toEqual([
      'echo',
      'letter',
      'radio',
      'times',
      'pod',
    ]);
  });

  it('sorts by folded name, audience and update, both ways, unknown last', async () => {
    expect(await ids({}, { sort: { key: 'name', reversed: false } })).toEqual([
      'letter',
      'pod',
      'echo',
      'radio',
      'times',
    ]);
    expect(await ids({}, { sort: { key: 'name', reversed: true } })).toEqual([
      'times',
      'radio',
      'echo',
      'pod',
      'letter',
    ]);
    expect(await ids({}, { sort: { key: 'audience', reversed: false } })).toEqual([
      'times',
      'radio',
      'echo',
      'letter',
      'pod',
    ]);
    expect(await ids({}, { sort: { key: 'audience', reversed: true } })).toEqual([
      'echo',
      'letter',
      'radio',
      'times',
      'pod',
    ]);
    expect(await ids({}, { sort: { key: 'updated', reversed: false } })).toEqual([
      'times',
      'echo',
      'radio',
      'pod',
      'letter',
    ]);
    expect(await ids({}, { sort: { key: 'updated', reversed: true } })).toEqual([
      'letter',
      'pod',
      'radio',
      'echo',
      'times',
    ]);
  });

  it('filters by any of the values and none of the negated ones, keeping unknown', async () => {
    expect(await filtered({ field: 'country', any: ['GB', 'CH'], none: [] })).toEqual(['times', 'radio']);
    expect(await filtered({ field: 'country', any: [], none: ['GB'] })).toEqual(['radio', 'letter', 'echo', 'pod']);
    expect(await filtered({ field: 'country', any: ['GB', 'CH'], none: ['GB'] })).toEqual(['radio']);
    expect(await filtered({ field: 'categories', any: ['music', 'technology'], none: [] })).toEqual([
      'radio',
      'letter',
      'pod',
    ]);
    expect(await filtered({ field: 'categories', any: ['music'], none: ['comedy'] })).toEqual(['radio']);
    expect(await filtered({ field: 'type', any: [], none: ['newspaper', 'radio'] })).toEqual(['letter', 'pod']);
  });

  it('matches open values as a whole, in folded form', async () => {
    expect(await filtered({ field: 'city', any: ['zurich'], none: [] })).toEqual(['radio']);
    expect(await filtered({ field: 'city', any: ['zur'], none: [] })).toEqual([]);
    expect(await filtered({ field: 'region', any: ['england'], none: [] })).toEqual(['times']);
  });

  it('requires all filters', async () => {
    const news: Filter = { field: 'categories', any: ['general_news'], none: [] };
    expect(await filtered(news, { field: 'language', any: ['fr'], none: [] })).toEqual(['echo']);
    expect(await filtered(news, { present: 'contact_name' })).toEqual(['times']);
    expect(await filtered({ present: 'email' }, { field: 'email_status', any: [], none: ['invalid'] })).toEqual([
      'times',
    ]);
    expect(await filtered({ present: 'contact_name' })).toEqual(['times', 'letter']);
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
      expect(found.toSorted()).toEqual((await ids({ text: parseTextQuery(host) })).toSorted());
    },
  );

  it('counts facets under ranges and named records', async () => {
    const filters: Filter[] = [
      { range: 'audience', bound: 'from', value: 600 },
      { identity: 'id', any: ['times', 'radio', 'echo'], none: [] },
    ];
    for (const text of [null, parseTextQuery('radio')]) {
      const { total, counts } = await backend.index.countFacets({ text, filters });
      const found = await ids({ text, filters });
      expect(total).toBe(found.length);
      expect(counts.country).toEqual(
        text ? [{ value: 'CH', count: 1 }] : ['CH', 'GB'].map((value) => ({ value, count: 1 })),
      );
    }
  });

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
      [9_900, 100, 0],
    ] as const) {
      const found = await backend.index.search(everything, { ...firstPage, offset, limit }, 'masked');
      expect(found.total).toBe(5);
      expect(found.records).toHaveLength(expected);
    }
    expect(
      (await backend.index.search({ text: parseTextQuery('weekly'), filters: [] }, firstPage, 'masked')).total,
    ).toBe(1);
  });

  it('pages through every order without repeating or dropping a record', async () => {
    for (const key of ['relevance', 'name', 'audience', 'updated'] as const) {
      for (const text of [null, parseTextQuery('newspaper')]) {
        const sort = { key, reversed: false };
        const whole = await ids({ text }, { sort });
        const paged: string[] = [];
        for (let offset = 0; offset < 6; offset += 1) paged.push(...(await ids({ text }, { sort, offset, limit: 1 })));
        expect(whole.length).toBeGreaterThan(1);
        expect(paged).toEqual(whole);
        expect(new Set(paged).size).toBe(paged.length);
      }
    }
  });

  it('counts every facet over the whole database, largest first, then by value', async () => {
    const { total, counts } = await backend.index.countFacets(everything);
    expect(total).toBe(5);
    expect(counts.country).toEqual(['BE', 'CH', 'GB', 'US'].map((value) => ({ value, count: 1 })));
    expect(counts.kind).toEqual([
      { value: 'outlet', count: 3 },
      { value: 'newsletter', count: 1 },
      { value: 'podcast', count: 1 },
    ]);
    expect(counts.categories).toEqual([
      { value: 'general_news', count: 2 },
      { value: 'music', count: 2 },
      { value: 'comedy', count: 1 },
      { value: 'politics', count: 1 },
      { value: 'technology', count: 1 },
    ]);
    expect(counts.continent).toEqual([
      { value: 'europe', count: 3 },
      { value: 'north_america', count: 1 },
    ]);
    expect(Object.keys(counts)).toEqual([
      'country',
      'kind',
      'type',
      'categories',
      'continent',
      'coverage',
      'city_size',
      'language',
      'region',
      'city',
      'tags',
    ]);
  });

  it('counts each facet under all filters except its own', async () => {
    const filters: Filter[] = [
      { field: 'kind', any: ['outlet'], none: [] },
      { field: 'type', any: ['newspaper'], none: [] },
    ];
    const { total, counts } = await backend.index.countFacets({ text: null, filters });
    expect(total).toBe(2);
    expect(counts.type).toEqual([
      { value: 'newspaper', count: 2 },
      { value: 'radio', count: 1 },
    ]);
    expect(counts.kind).toEqual([{ value: 'outlet', count: 2 }]);
    expect(counts.language).toEqual([
      { value: 'en', count: 1 },
      { value: 'fr', count: 1 },
    ]);
  });

  it('counts facets of exactly the records that a text finds', async () => {
    const text = parseTextQuery('zurich');
    const { total, counts } = await backend.index.countFacets({ text, filters: [] });
    expect(total).toBe((await ids({ text })).length);
    expect(counts.country).toEqual([{ value: 'CH', count: 1 }]);
    expect(counts.type).toEqual([{ value: 'radio', count: 1 }]);
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
      const query: SearchQuery = { text: parseTextQuery(q), filters };
      const found = await backend.index.search(query, firstPage, 'masked');
      expect(found.isCorrected).toBe(isCorrected);
      const pastTheEnd = await backend.index.search(query, { ...firstPage, offset: 100 }, 'masked');
      expect(pastTheEnd.isCorrected).toBe(isCorrected);
      expect((await backend.index.countFacets(query)).isCorrected).toBe(isCorrected);
    },
  );

  it('counts the steps of the audience under all filters but its own bounds, and leaves out what is unknown', async () => {
    const perStep = async (query: SearchQuery) => {
      const { audiences } = await backend.index.countFacets(query, true);
      expect(audiences).toHaveLength(audienceSteps.length);
      return audiences;
    };
    const counted = async (query: SearchQuery) => {
      const { records: found } = await backend.index.search(query, firstPage, 'masked');
      const steps = audienceSteps.map((min, step) => {
        const end = audienceSteps[step + 1] ?? Number.POSITIVE_INFINITY;
        return found.filter(({ audience }) => audience !== null && audience >= min && audience < end).length;
      });
      expect(await perStep(query)).toEqual(steps);
      return steps.reduce((sum, count) => sum + count, 0);
    };
    expect(await counted(everything)).toBe(records.filter(({ audience }) => audience !== null).length);
    expect(await counted({ text: null, filters: [{ field: 'type', any: ['newspaper'], none: [] }] })).toBeGreaterThan(
      1,
    );
    expect(await counted({ text: parseTextQuery('zürihc'), filters: [] })).toBe(1);
    expect(await counted({ text: parseTextQuery('-radio'), filters: [{ present: 'email' }] })).toBeGreaterThan(0);
    expect(await counted({ text: parseTextQuery('xqzwvk'), filters: [] })).toBe(0);
    const bounds: Filter[] = [
      { range: 'audience', bound: 'from', value: 600 },
      { range: 'audience', bound: 'to', value: 800 },
    ];
    for (const text of [null, parseTextQuery('radio')])
      expect(await perStep({ text, filters: bounds })).toEqual(await perStep({ text, filters: [] }));
  });

  it('finds only what the strict query finds if it is asked to, in pages, counts and scans', async () => {
    const typed = parseTextQuery('zürihc');
    const exact = parseTextQuery('zürich');
    if (typed === null || exact === null) throw new Error('nothing was typed');
    expect(await ids({ text: typed })).toEqual(['radio']);
    expect(await ids({ text: { ...exact, isStrict: true } })).toEqual(['radio']);
    const strict: SearchQuery = { text: { ...typed, isStrict: true }, filters: [] };
    expect(await backend.index.search(strict, firstPage, 'masked')).toEqual({
      records: [],
      total: 0,
      isCorrected: false,
    });
    expect(await backend.index.countFacets(strict)).toMatchObject({ total: 0, isCorrected: false });
    const scan = await backend.index.scan(strict);
    await scan.close();
    expect(scan.total).toBe(0);
  });

  it('gives each facet value the count that a search filtered by it gives', async () => {
    for (const text of [null, parseTextQuery('newspaper'), parseTextQuery('zürihc')]) {
      const { total, counts } = await backend.index.countFacets({ text, filters: [] });
      expect(total).toBeGreaterThan(0);
      for (const field of ['country', 'kind', 'type', 'categories', 'language'] as const) {
        for (const { value, count } of counts[field]) {
          expect(await ids({ text, filters: [{ field, any: [value], none: [] }] })).toHaveLength(count);
        }
      }
    }
  });

  it('reflects every change of the records', async () => {
    const own = await open();
    try {
      await own.load([madeRecord({ id: 'a', name: 'Alpha Post' })]);
      const find = async (q: string) => {
        await own.settle();
        const found = await own.index.search({ text: parseTextQuery(q), filters: [] }, firstPage, 'masked');
        return found.records.map(({ id }) => id);
      };
      expect(await find('alpha')).toEqual(['a']);
      await own.records.merge([{ id: 'a', name: 'Omega Post', email: 'x@omega.example' }]);
      expect(await find('alpha')).toEqual([]);
      expect(await find('omgea')).toEqual(['a']);
      await own.records.remove(['a']);
      expect(await find('omega')).toEqual([]);
      expect((await own.index.countFacets(everything)).total).toBe(0);
    } finally {
      await own.close();
    }
  });

  it('finds all records with a name near a mistyped one, however many names are', async () => {
    const own = await open();
    try {
      const letters = [...'abcdefghij'];
      const names = letters.flatMap((one) => letters.map((other) => `Gazeteria${one}${other}`));
      await own.load(names.map((name) => madeRecord({ id: name, name })));
      await own.settle();
      const query: SearchQuery = { text: parseTextQuery('gazeteria99'), filters: [] };
      expect((await own.index.search(query, firstPage, 'masked')).total).toBe(names.length);
      expect((await own.index.countFacets(query)).total).toBe(names.length);
    } finally {
      await own.close();
    }
  });

  it('answers on an empty database', async () => {
    const own = await open();
    try {
      await own.settle();
      expect(await own.index.search(everything, firstPage, 'masked')).toEqual({
        records: [],
        total: 0,
        isCorrected: false,
      });
      expect(await own.index.countFacets({ text: parseTextQuery('anything'), filters: [] })).toMatchObject({
        total: 0,
      });
    } finally {
      await own.close();
    }
  });

  it('finds the records at each of several hosts, largest audience first, with addresses only if they may be seen', async () => {
    const hosts = ['radio.example', 'absent.example', 'times.example', 'example', 'times.example'];
    const found = await backend.index.findAtHosts(hosts, 'full');
    expect(found.map((records) => records.map(({ id }) => id))).toEqual([['radio'], [], ['times'], [], ['times']]);
    expect(found[2]).toEqual([await storedRecord(backend.stored, 'times')]);
    expect(await backend.index.findAtHosts(['times.example'], 'masked')).toMatchObject([
      [{ email: 'd***@times.example' }],
    ]);
    expect(await backend.index.findAtHosts([], 'full')).toEqual([]);
    const many = [...Array.from({ length: 99 }, (_, index) => `absent${index}.example`), 'times.example'];
    expect((await backend.index.findAtHosts(many, 'masked')).flat()).toHaveLength(1);
  });

  it('finds many records by id, if they exist, with addresses only for callers who may see them', async () => {
    const ids = ['times', 'radio', 'nowhere', 'times', ''];
    const full = await backend.index.findMany(ids, 'full');
    expect(full.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      await backend.index.find('radio', 'full'),
      await backend.index.find('times', 'full'),
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
      () => backend.index.search(broken, firstPage, 'masked'),
      () => backend.index.search(everything, { ...firstPage, limit: 'many' as unknown as number }, 'masked'),
      () => backend.index.countFacets(broken),
      () => backend.index.scan(broken),
    ];
    for (const ask of faults) {
      const error = await ask().then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error, String(ask)).toBeInstanceOf(Error);
      expect(error, String(ask)).not.toBeInstanceOf(Problem);
    }
    expect((await backend.index.search(everything, firstPage, 'masked')).total).toBeGreaterThan(0);
  });
});

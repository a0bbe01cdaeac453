import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { fields } from '#records/fields.ts';
import { readCases } from '#testing/cases.ts';
import { media } from '#testing/made-record.ts';
import { useService } from './test-service.ts';

describe('GET /search', () => {
  const { service, keys } = useService(media);

  const idsOf = async (query: string): Promise<string[]> => {
    const { body, status } = await service.get(`/api/v1/search${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.results.map(({ id }: { id: string }) => id);
  };

  it('answers with exactly the keys of the contract, in order', async () => {
    const { text, body } = await service.get('/api/v1/search');
    expect(Object.keys(JSON.parse(text))).toEqual(['results', 'total', 'page', 'per_page', 'total_pages', 'masked']);
    expect(Object.keys(body.results[0])).toEqual(fields.map(({ key }) => key));
    expect(body).toMatchObject({ total: 6, page: 1, per_page: 20, total_pages: 1, masked: true });
  });

  it.each(['search', 'facets'])('says in %s that a text was corrected, and nothing where it was not', async (path) => {
    const keys = async (q: string) => Object.keys(JSON.parse((await service.get(`/api/v1/${path}?q=${q}`)).text));
    const plain = await keys('miramar');
    expect(plain).not.toContain('corrected');
    expect(await keys('mriamar')).toEqual([...plain, 'corrected']);
    expect((await service.get(`/api/v1/${path}?q=mriamar`)).body.corrected).toBe(true);
  });

  it('suggests other searches where nothing is found, and only there', async () => {
    const { body } = await service.get('/api/v1/search?q=miramar&country=de');
    expect(Object.keys(body).at(-1)).toBe('suggestions');
    expect(body.suggestions).toEqual([
      { filters: { country: 'de' }, drops: 'q', total: 1 },
      { q: 'miramar', drops: 'country', total: 1 },
    ]);
    const { suggestions } = (await service.get('/api/v1/search?id=radio,pod')).body;
    expect(suggestions).toEqual([{ filters: { id: 'radio|pod' }, drops: 'id', total: 2 }]);
    const congo = (await service.get('/api/v1/search?q=miramar&country=Congo,+Democratic+Republic+of+the')).body;
    expect(congo.suggestions).toMatchObject([{ drops: 'country' }]);
    const large = (await service.get('/api/v1/search?q=miramar+over+9m+listeners')).body.suggestions;
    expect(large).toEqual([{ q: 'miramar', drops: 'over 9m listeners', total: 1 }]);
    expect((await service.get('/api/v1/search?q=qqqqzzzz')).body.suggestions).toEqual([]);
    for (const asked of [
      'search?q=miramar&page=9',
      'search?q=qqqqzzzz&suggestions=0',
      'contacts?q=qqqqzzzz&suggestions=0',
    ])
      expect((await service.get(`/api/v1/${asked}`)).body).not.toHaveProperty('suggestions');
  });

  it.each([
    ['search', 'sort=name&fields=id', (row: { id: string }) => row.id],
    ['contacts', 'q=miramar&country=GB|AR|!FR', ({ record }: { record: { id: string } }) => record.id],
    ['search', 'q=mriamar&per_page=1', (row: { id: string }) => row.id],
  ])('walks through all results of %s?%s with cursors, and links to the next page', async (path, query, idOf) => {
    const ask = (rest: string) => service.get(`/api/v1/${path}?${query.replace(/&per_page.*/, '')}&${rest}`, keys.pro);
    const all = (await ask('per_page=100')).body.results.map(idOf);
    const ids: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const { body, headers, text, status } = await ask(`per_page=1&after=${after}`);
      expect(status, text).toBe(200);
      expect(Object.keys(JSON.parse(text)).slice(0, 5)).toEqual(['results', 'total', 'per_page', 'next', 'masked']);
      ids.push(...body.results.map(idOf));
      const again = await ask(`per_page=1&after=${after}`).set('If-None-Match', headers.etag ?? '');
      expect([again.status, headers.link?.includes('rel="next"') ?? false]).toEqual([304, body.next !== null]);
      if (body.next !== null) expect(headers.link).toContain(`after=${body.next}>; rel="next"`);
      after = body.next;
    }
    expect(ids).toEqual(all);
  });

  it('refuses cursors without a key, beside a page, by meaning, of other searches, and what is none', async () => {
    const search = (query: string, key?: string) => service.get(`/api/v1/search?${query}`, key);
    expect((await search('after=&kind=wrong')).body.code).toBe('key_missing');
    expect((await search('after=&per_page=1', keys.expired)).body).toMatchObject({ masked: true });
    const { next } = (await search('q=a&per_page=1&after=', keys.pro)).body;
    expect((await search(`q=a&per_page=2&fields=id&after=${next}`, keys.pro)).status).toBe(200);
    const refused = [
      ...[
        'after=&page=1',
        'after=&match=meaning&q=a',
        'after=1&after=2',
        'q=a&after=x',
        `q=a&after=${next}x`,
        'after=%00.',
      ],
      ...[
        `q=b&after=${next}`,
        `q=a&sort=name&after=${next}`,
        `q=a&kind=podcast&after=${next}`,
        `q=a&strict=1&after=${next}`,
      ],
    ];
    for (const query of refused) {
      const { status, body } = await search(query, keys.pro);
      expect([status, body.code, body.errors[0].name], query).toEqual([400, 'invalid_request', 'after']);
    }
    const ofContacts = await service.get(`/api/v1/contacts?q=a&after=${next}`, keys.pro);
    expect(ofContacts.body.errors[0]).toMatchObject({ name: 'after', code: 'invalid_cursor' });
    expect((await search('page=101&per_page=100')).body.detail).toContain('page by page with after');
  });

  it('takes a text as it is typed with strict=1', async () => {
    expect(await idsOf('?q=mriamar')).toEqual(['radio']);
    expect(await idsOf('?q=miramar&strict=1')).toEqual(['radio']);
    for (const path of ['search', 'facets']) {
      const { body } = await service.get(`/api/v1/${path}?q=mriamar&strict=true`);
      expect(body.total).toBe(0);
      expect(body).not.toHaveProperty('corrected');
      expect((await service.get(`/api/v1/${path}?q=mriamar&strict=0`)).body.corrected).toBe(true);
    }
    expect((await idsOf('?strict=1')).length).toBe(6);
    const { status, body } = await service.get('/api/v1/search?strict=yes');
    expect([status, body.errors[0].name]).toEqual([400, 'strict']);
  });

  it.each([
    ['q', '"'.repeat(500)],
    ['q', '"zq '.repeat(120)],
    ['q', '-"a"'.repeat(125)],
    ['region', Array.from({ length: 100 }, (_, n) => `zq${n},zq`).join('|')],
  ])('suggests only what can be asked instead of %s %j', async (name, value) => {
    const query = new URLSearchParams({ [name]: value, kind: 'podcast' });
    const { status, body } = await service.get(`/api/v1/search?${query}`);
    expect(status).toBe(200);
    for (const { q, filters } of body.suggestions ?? []) {
      const suggested = new URLSearchParams({ ...filters, ...(q && { q }) });
      expect((await service.get(`/api/v1/search?${suggested}`)).body.total).toBeGreaterThan(0);
    }
  });

  it.each(readCases<[query: string, ids: string[]]>(new URL('searches.tsv', import.meta.url)))(
    '%s finds %j',
    async (query, ids) => {
      expect(await idsOf(query)).toEqual(ids);
    },
  );

  it('gives only the fields that were asked for, in the order of records, and in links too', async () => {
    const { text, body, headers } = await service.get('/api/v1/search?fields=email,name,audience&per_page=1');
    expect(Object.keys(JSON.parse(text).results[0])).toEqual(['id', 'name', 'email', 'audience']);
    expect(body.results[0]).toMatchObject({ id: 'pod', email: '***@founders-afloat.example' });
    expect(headers.link).toContain('fields=email%2Cname%2Caudience&per_page=1&page=2>; rel="next"');
    const one = await service.get('/api/v1/records/times?fields=city');
    expect(one.body).toEqual({ id: 'times', city: 'Leeds' });
    expect((await service.get('/api/v1/records/times/similar?fields=name')).status).toBe(200);
    const wrong = await service.get('/api/v1/records/times?fields=cty').expect(400);
    expect(wrong.body.errors).toMatchObject([{ name: 'fields', code: 'unknown_value', did_you_mean: 'city' }]);
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['', undefined],
    ['zstd', undefined],
  ])('compresses larger answers as the caller accepts it: %s', async (accepted, encoding) => {
    const ask = (method: 'get' | 'head') =>
      request(service.app)[method]('/api/v1/search').set('Accept-Encoding', accepted);
    const plain = await service.get('/api/v1/search').set('Accept-Encoding', 'identity');
    const answer = await ask('get').expect(200);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers).toMatchObject({ vary: 'Authorization, Accept-Encoding', etag: plain.headers.etag });
    expect(answer.text).toBe(plain.text);
    expect((await ask('head')).headers['content-length']).toBe(answer.headers['content-length']);
    const again = await ask('get').set('If-None-Match', plain.headers.etag ?? '');
    expect([again.status, again.headers['content-encoding']]).toEqual([304, undefined]);
    expect(again.headers.vary).toBe('Authorization, Accept-Encoding');
  });

  it('does not compress small answers', async () => {
    const { headers } = await service.get('/api/v1/search?q=xqzwvk').set('Accept-Encoding', 'br, gzip');
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.vary).toBe('Authorization, Accept-Encoding');
  });

  it.each([
    ['fetch sends it, with no-cache', (etag: string) => ({ 'If-None-Match': etag, 'Cache-Control': 'no-cache' })],
    ['a reload, with max-age=0', (etag: string) => ({ 'If-None-Match': etag, 'Cache-Control': 'max-age=0' })],
    ['the same opaque tag as a strong one', (etag: string) => ({ 'If-None-Match': etag.replace('W/', '') })],
    ['a list that holds it', (etag: string) => ({ 'If-None-Match': `"one", W/"two",${etag} , "three"` })],
    ['any tag', () => ({ 'If-None-Match': '*', 'Cache-Control': 'no-cache' })],
  ])('answers 304 to GET and HEAD when If-None-Match matches: %s', async (_, headersFor) => {
    for (const path of ['/api/v1/search?q=tech', '/api/v1/facets']) {
      const { headers } = await service.get(path);
      const conditions = headersFor(headers.etag ?? 'none');
      for (const method of ['get', 'head'] as const) {
        const answer = await request(service.app)[method](path).set(conditions);
        expect(answer.status, `${method} ${path}`).toBe(304);
        expect(answer.text ?? '').toBe('');
        expect(answer.headers).toMatchObject({ etag: headers.etag, 'cache-control': 'private, no-cache' });
      }
    }
  });

  it.each([
    ['another tag', { 'If-None-Match': 'W/"another"', 'Cache-Control': 'no-cache' }],
    ['a list without it', { 'If-None-Match': '"one", W/"two"' }],
    ['nothing', { 'If-None-Match': '' }],
    ['only a date', { 'If-Modified-Since': 'Fri, 31 Dec 2100 23:59:59 GMT' }],
  ])('answers 200 with the body when If-None-Match names %s', async (_, conditions) => {
    const answer = await service.get('/api/v1/search?q=tech').set(conditions);
    expect(answer.status).toBe(200);
    expect(answer.body.total).toBeGreaterThan(0);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterFields } from '#domain/fields.ts';
import { Problem } from '#domain/problem.ts';
import { searchParameters } from '#http/endpoints/search.ts';
import { queryParameters } from '#http/parse/parameters.ts';
import { noParameters, readParameters } from '#http/parse/read-parameters.ts';

const read = (query: string) => readParameters(`/api/v1/search${query}`, searchParameters);

function refusalOf(query: string): Problem {
  try {
    read(query);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error(`${query} was taken`);
}

describe('reading parameters', () => {
  it('without any, requests the first page of everything', () => {
    expect(read('').values).toEqual({
      query: { text: null, filters: [] },
      sort: { key: 'relevance', reversed: false },
      page: 1,
      perPage: 20,
      explains: false,
    });
  });

  it('collects repeated, piped and negated values, in canonical form and once each', () => {
    expect(read('?country=usa|gb&country=!Germany&country=United+States').values.query.filters).toEqual([
      { field: 'country', any: ['US', 'GB'], none: ['DE'] },
    ]);
    expect(read('?city=S%C3%A3o%20Paulo|sao%20paulo').values.query.filters).toEqual([
      { field: 'city', any: ['sao paulo'], none: [] },
    ]);
  });

  it('keeps the parameters as given, for links, in the order of the contract', () => {
    const { given } = read('?page=2&city=Leeds&q=%20two%20%20words%20&kind=!podcast&kind=outlet&sort=');
    expect([...given]).toEqual([
      ['q', 'two  words'],
      ['kind', '!podcast|outlet'],
      ['city', 'Leeds'],
      ['page', '2'],
    ]);
  });

  it('reads its own output like its input', () => {
    const texts = fc.record(
      Object.fromEntries(
        filterFields.map(({ filter: { parameter, allowed }, vocabulary }) => [
          parameter,
          vocabulary ? fc.constantFrom(...(allowed ?? [])) : fc.constantFrom('en', 'US', 'Ōsaka', '!fr', 'x y|z'),
        ]),
      ),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(texts, fc.string({ unit: 'grapheme', maxLength: 40 }), (filters, q) => {
        const attempt = () => read(`?${new URLSearchParams({ ...filters, q })}`);
        try {
          const first = attempt();
          expect(read(`?${first.given}`)).toEqual(first);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
        }
      }),
    );
  });

  it('accepts anything typed in q, except for its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (q) => {
        expect(() => read(`?${new URLSearchParams({ q })}`)).not.toThrow();
      }),
      { numRuns: 300 },
    );
    for (const q of ['%', '%zz', '%ff%fe', '100%', '%00', '"', '-', 'a%0Ab', '%E2%80%AE', "' OR 1=1 --"]) {
      expect(() => read(`?q=${q}`), q).not.toThrow();
    }
  });

  it('counts q in code points, after NFC and trimming', () => {
    expect(() => read(`?q=${encodeURIComponent(` ${'😀'.repeat(500)} `)}`)).not.toThrow();
    expect(() => read(`?q=${encodeURIComponent('e\u0301'.repeat(500))}`)).not.toThrow();
    expect(refusalOf(`?q=${'a'.repeat(501)}`).extras.errors).toEqual([
      { in: 'query', name: 'q', code: 'too_long', message: 'The text is 501 characters long. Use at most 500.' },
    ]);
  });

  it.each([
    ['?page=0', 'page', 'out_of_range'],
    ['?page=-1', 'page', 'out_of_range'],
    ['?page=1.5', 'page', 'out_of_range'],
    ['?page=1e3', 'page', 'out_of_range'],
    ['?page=one', 'page', 'out_of_range'],
    ['?page=٣', 'page', 'out_of_range'],
    ['?per_page=101', 'per_page', 'out_of_range'],
    ['?per_page=0', 'per_page', 'out_of_range'],
    ['?sort=best', 'sort', 'unknown_value'],
    ['?sort=--name', 'sort', 'unknown_value'],
    ['?sort=name&sort=name', 'sort', 'repeated'],
    ['?sort=&sort=', 'sort', 'repeated'],
    ['?q=a&q=b', 'q', 'repeated'],
    ['?named=yes', 'named', 'unknown_value'],
    ['?kind=outlet|podcst', 'kind', 'unknown_value'],
    ['?kind=!', 'kind', 'unknown_value'],
    ['?region=!', 'region', 'unknown_value'],
    ['?country=Atlantis', 'country', 'unknown_value'],
    ['?__proto__=1', '__proto__', 'unknown_parameter'],
    ['?constructor=1', 'constructor', 'unknown_parameter'],
    ['?kind[]=outlet', 'kind[]', 'unknown_parameter'],
    [`?city=${Array.from({ length: 101 }, (_, index) => `c${index}`).join('|')}`, 'city', 'too_many_values'],
  ])('rejects %s', (query, name, code) => {
    expect(refusalOf(query).extras.errors).toMatchObject([{ in: 'query', name, code }]);
  });

  it.each([
    ['?per-page=5', 'per_page'],
    ['?Kind=outlet', 'kind'],
    ['?langauge=en', 'language'],
    ['?country=Untied+Kingdom', 'United Kingdom'],
    ['?language=Spansh', 'Spanish'],
    ['?category=tecnology', 'technology'],
    ['?coverage=nationl', 'national'],
    ['?sort=auidence', 'audience'],
    ['?kind=xylophone', undefined],
    ['?zzzzzz=1', undefined],
  ])('for %s suggests %s', (query, suggestion) => {
    expect(refusalOf(query).extras.errors?.[0]?.did_you_mean).toBe(suggestion);
  });

  it('repeats no more of an invalid value than fits on a line', () => {
    const [error] = refusalOf(`?kind=${'x'.repeat(5000)}`).extras.errors ?? [];
    expect(error?.message.length).toBeLessThan(200);
  });

  it('has a separate code for a page that is too deep, unless something else is wrong too', () => {
    expect(refusalOf('?page=501').code).toBe('page_too_deep');
    expect(refusalOf(`?page=${'9'.repeat(400)}`).code).toBe('page_too_deep');
    const both = refusalOf('?page=501&kind=x');
    expect(both.code).toBe('invalid_request');
    expect(both.extras.errors?.map(({ name, code }) => [name, code])).toEqual([
      ['kind', 'unknown_value'],
      ['page', 'page_too_deep'],
    ]);
  });

  it('accepts the filters on /facets too, and nothing where there are no parameters', () => {
    expect(readParameters('/api/v1/facets?kind=outlet&q=tech', queryParameters).values.filters).toHaveLength(1);
    expect(() => readParameters('/api/v1/facets?page=1', queryParameters)).toThrow(Problem);
    expect(() => readParameters('/api/v1/me?', noParameters)).not.toThrow();
    expect(() => readParameters('/api/v1/me?a=1', noParameters)).toThrow(Problem);
  });
});

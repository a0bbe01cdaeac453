import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { searchSchema, toSearchRequest } from '#http/api/search.ts';
import { filterSchema, toSearchQuery } from '#http/parse/query-parameters.ts';
import { readParameters } from '#http/parse/read-parameters.ts';
import { pageShape } from '#http/parse/result-parameters.ts';
import { fieldsParameter } from '#http/record-answer.ts';
import { filterFields } from '#records/fields.ts';
import { listCountries } from '#records/places/countries.ts';
import { Problem } from '#src/problem.ts';
import { readCases } from '#testing/cases.ts';
import { anyCharacter, ofForm } from '#testing/form.ts';

const parameters = searchSchema({ fields: fieldsParameter, ...pageShape() });

function read(query: string) {
  const { values, givenParameters } = readParameters(`/api/v1/search${query}`, parameters);
  return { values: { ...toSearchRequest(values), fields: values.fields }, givenParameters };
}

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
      fields: null,
    });
  });

  it('collects repeated, piped and negated values, in canonical form and once each', () => {
    expect(read('?country=usa|gb&country=!Germany&country=United+States').values.query.filters).toEqual([
      { field: 'country', any: ['US', 'GB'], none: ['DE'] },
    ]);
    expect(read('?country=US,gb,!Germany').values.query.filters).toEqual([
      { field: 'country', any: ['US', 'GB'], none: ['DE'] },
    ]);
    expect(read('?city=S%C3%A3o%20Paulo|sao%20paulo').values.query.filters).toEqual([
      { field: 'city', any: ['sao paulo'], none: [] },
    ]);
  });

  it.each([
    ['kind=outlet,podcast', 'kind=outlet|podcast'],
    ['type=radio,%20tv&category=!sports,technology', 'type=radio|tv&category=!sports|technology'],
    ['language=en,es,', 'language=en|es'],
    ['domain=nytimes.com,bbc.co.uk', 'domain=nytimes.com|bbc.co.uk'],
    ['country[]=US&country[]=CA&kind=outlet', 'country=US|CA&kind=outlet'],
    ['country[0]=US&country[1]=CA&country=GB', 'country=US|CA|GB'],
  ])('reads %s as %s, in the parameters as given too', (query, plain) => {
    expect(read(`?${query}`)).toEqual(read(`?${plain}`));
  });

  it.each([
    ['city=Washington,%20D.C.', 'city', 'washington d c'],
    ['region=a,b', 'region', 'a b'],
    ['tag=rock,pop', 'tags', 'rock pop'],
    ['country=Congo,%20Democratic%20Republic%20of%20the', 'country', 'CD'],
  ])('leaves the comma of a value alone: %s', (query, field, value) => {
    expect(read(`?${query}`).values.query.filters).toEqual([{ field, any: [value], none: [] }]);
  });

  it('names the wrong one of several values between commas', () => {
    const { errors = [] } = refusalOf('?country=US,Atlantis,CA').extras;
    expect(errors).toMatchObject([{ name: 'country', message: expect.stringContaining('"Atlantis"') }]);
    expect(refusalOf(`?id=x&country=${Array.from({ length: 101 }, () => 'US').join(',')}`).extras.errors).toMatchObject(
      [{ name: 'country', code: 'too_many_values' }],
    );
  });

  it.each(readCases<[query: string, value: string]>(new URL('times.tsv', import.meta.url)))(
    'reads a time as ISO 8601, in UTC without a zone: %s',
    (query, value) => {
      expect(read(`?${query}`).values.query.filters).toEqual([{ range: 'updated_at', bound: 'from', value }]);
    },
  );

  it.each(['yesterday', '2025-02-29', '05/06/2026', '!2026-01-01', '2026-01-01|2026-02-01'])(
    'refuses what is not a date or time: %s',
    (text) => {
      const { errors = [] } = refusalOf(`?${new URLSearchParams({ verified_since: text })}`).extras;
      expect(errors).toMatchObject([{ in: 'query', name: 'verified_since', code: 'invalid_time' }]);
      expect(errors[0]?.message).toContain('Use an ISO 8601 date or time, such as 2026-11-21');
    },
  );

  it('reads ids and hosts, several and excluded ones, hosts as they are typed in q', () => {
    const { filters } = read(
      '?id=wd-Q1|Asahi&id=!x&domain=https://www.NYTimes.com/a?b|jane@mail.bbc.co.uk&domain=!m%C3%BCnchen.de',
    ).values.query;
    expect(filters).toEqual([
      { identity: 'id', any: ['wd-Q1', 'Asahi'], none: ['x'] },
      { identity: 'url', any: ['nytimes.com', 'mail.bbc.co.uk'], none: ['xn--mnchen-3ya.de'] },
    ]);
  });

  it.each(['nytimes', 'two words.com', 'a.com b.com', '"nytimes.com"', '-nytimes.com', '@', 'St.Louis', '!'])(
    'refuses a domain that is not a host: %s',
    (text) => {
      const { errors = [] } = refusalOf(`?${new URLSearchParams({ domain: text })}`).extras;
      expect(errors).toMatchObject([{ name: 'domain', code: 'unknown_value' }]);
    },
  );

  it('takes 100 ids or domains, and says how many are too many', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `a${index}.example`).join('|');
    for (const name of ['id', 'domain']) {
      expect(() => read(`?${name}=${many(100)}`)).not.toThrow();
      expect(refusalOf(`?${name}=${many(101)}`).extras.errors).toEqual([
        { in: 'query', name, code: 'too_many_values', message: '101 values are too many. Use at most 100.' },
      ]);
    }
  });

  it('refuses a range in which nothing can be, next to everything else that is wrong', () => {
    const { errors } = refusalOf('?updated_since=2026-02-01&updated_before=2026-01-31T23:00:00Z&kind=outlett').extras;
    expect(errors?.map(({ name, code }) => [name, code]).toSorted()).toEqual([
      ['kind', 'unknown_value'],
      ['updated_since', 'empty_range'],
    ]);
    expect(() => read('?min_audience=9&max_audience=9')).not.toThrow();
  });

  it.each([
    ['podcasts with more than 10k listeners in texas', 'podcasts in texas', 'from', 10_000],
    ['Zeitungen mit über 1,5 Mio Lesern', 'Zeitungen', 'from', 1_500_000],
    ['magazines, circulation up to 50.000', 'magazines,', 'to', 50_000],
    ['newsletters for readers over 50', 'newsletters for readers over 50', null, null],
  ])('reads the audience that %j asks for', (typed, rest, bound, value) => {
    const filters = bound === null ? [] : [{ range: 'audience', bound, value }];
    const { query } = read(`?q=${encodeURIComponent(typed)}&country=US`).values;
    expect(query.filters).toEqual([...filters, expect.objectContaining({ field: 'country' })]);
    expect(query.text).toEqual(read(`?q=${rest}`).values.query.text);
  });

  it('reads names of fields in any order and case, and gives them in the order of records, with the id', () => {
    const { fields } = read('?fields=updated_at,%20Name%20,email,,name').values;
    expect(fields).toEqual(['id', 'name', 'email', 'updated_at']);
    for (const nothing of ['', ',', '%20,%20']) expect(read(`?fields=${nothing}`).values.fields).toBeNull();
    const { errors } = refusalOf('?fields=name,emial,__proto__').extras;
    expect(errors).toMatchObject([
      { name: 'fields', code: 'unknown_value', did_you_mean: 'email' },
      { name: 'fields', code: 'unknown_value' },
    ]);
    const many = Array.from({ length: 101 }, (_, at) => `x${at}`);
    expect(refusalOf(`?fields=${many.slice(1).join(',')}`).extras.more_errors).toBe(80);
    expect(refusalOf(`?fields=${many.join(',')}`).extras.errors).toMatchObject([
      { name: 'fields', code: 'too_many_values' },
    ]);
    // Generated clients repeat a list; links to other pages join it again.
    expect(read('?fields=name&fields=email,url').values.fields).toEqual(['id', 'name', 'url', 'email']);
    expect(read('?fields=name|email').values.fields).toEqual(['id', 'name', 'email']);
  });

  it('keeps the parameters as given, for links, in the order of the contract', () => {
    const { givenParameters } = read('?page=2&city=Leeds&q=%20two%20%20words%20&kind=!podcast&kind=outlet&sort=');
    expect([...givenParameters]).toEqual([
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
          expect(read(`?${first.givenParameters}`)).toEqual(first);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
        }
      }),
    );
  });

  it('accepts anything typed in q, except for its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 500 }), (q) => {
        expect(() => read(`?${new URLSearchParams({ q })}`)).not.toThrow();
      }),
      { numRuns: ofForm(200, 5_000) },
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

  it.each(readCases<[query: string, name: string, code: string]>(new URL('refused-queries.tsv', import.meta.url)))(
    'rejects %s',
    (query, name, code) => {
      expect(refusalOf(query).extras.errors).toMatchObject([{ in: 'query', name, code }]);
    },
  );

  it.each(readCases<[query: string, suggestion: string | null]>(new URL('suggestions.tsv', import.meta.url)))(
    'for %s suggests %s',
    (query, suggestion) => {
      expect(refusalOf(query).extras.errors?.[0]?.did_you_mean ?? null).toBe(suggestion);
    },
  );

  it.each([
    ['?country=Scotland', '"Scotland" is not a valid country. It is a valid region. Use region=Scotland.'],
    ['?kind=tv', '"tv" is not a valid kind. It is a valid type. Use type=tv.'],
  ])('for %s says which filter takes it', (query, message) => {
    expect(refusalOf(query).extras.errors).toMatchObject([{ message: expect.stringContaining(message) }]);
  });

  it.each([
    ['?kind=podcst', 'kind: "podcst" is not a valid kind. Use outlet, podcast or newsletter. Did you mean podcast?'],
    ['?min_audience=2&max_audience=1', 'min_audience is beyond max_audience, so no record can match. Swap the two.'],
    ['?page=0&per_page=0', 'Invalid in this request: page, per_page. See errors for details.'],
  ])('says what is wrong with %s in the detail, if it is one thing', (query, detail) => {
    expect(refusalOf(query).message).toBe(detail);
  });

  it('takes every country that the product names, by its code and by that name', () => {
    const refused = listCountries().filter(
      ({ code, name }) =>
        ![code, name].every((value) => {
          const [filter] = read(`?${new URLSearchParams({ country: value })}`).values.query.filters;
          return filter !== undefined && 'any' in filter && filter.any.join() === code;
        }),
    );
    expect(listCountries().length).toBeGreaterThan(200);
    expect(refused).toEqual([]);
  });

  it('suggests only what it takes', () => {
    for (const { filter } of filterFields) {
      const refused = (filter.guesses?.() ?? []).filter((guess) => filter.canonical(guess) === null);
      expect(refused, filter.parameter).toEqual([]);
    }
    const typo = refusalOf('?country=Antigua+%26+Barbudaa').extras.errors?.[0]?.did_you_mean ?? '';
    expect(read(`?${new URLSearchParams({ country: typo })}`).values.query.filters).toMatchObject([{ any: ['AG'] }]);
  });

  it('repeats no more of an invalid value than fits on a line', () => {
    const [error] = refusalOf(`?kind=${'x'.repeat(5000)}`).extras.errors ?? [];
    expect(error?.message.length).toBeLessThan(200);
  });

  it('has a separate code for a page that is too deep, unless something else is wrong too', () => {
    expect(refusalOf('?page=501').code).toBe('page_too_deep');
    expect(refusalOf(`?page=${'9'.repeat(15)}`).code).toBe('page_too_deep');
    const both = refusalOf('?page=501&kind=x');
    expect(both.code).toBe('invalid_request');
    expect(both.extras.errors?.map(({ name, code }) => [name, code])).toEqual([
      ['kind', 'unknown_value'],
      ['page', 'page_too_deep'],
    ]);
  });

  it('accepts the filters on /facets too, and nothing where there are no parameters', () => {
    const { values } = readParameters('/api/v1/facets?kind=outlet&q=tech', filterSchema);
    expect(toSearchQuery(values).filters).toHaveLength(1);
    expect(() => readParameters('/api/v1/facets?page=1', filterSchema)).toThrow(Problem);
    expect(() => readParameters('/api/v1/me?', z.object({}))).not.toThrow();
    expect(() => readParameters('/api/v1/me?a=1', z.object({}))).toThrow(Problem);
  });
});

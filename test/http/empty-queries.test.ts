import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { madeRecord, media } from '#testing/made-record.ts';
import { useService } from './test-service.ts';

/** What a person can type without a meaning: half an address, punctuation, invisible characters. */
const sayingNothing = [
  ...['@', '@@', '@ @', 'x@', 'jane@', 'jane.doe@', '"jane doe"@', 'jane%40', 'jane＠', 'jane﹫', 'jane\u{e0040}'],
  ...['!!!', '...', '""', '"@"', '"jane@"', '-', '- -', '--', '-@', '-jane@', '-"jane@"', '"', '¿?', '()', '*', '|'],
  ...['\u200b', '\u2060\u00ad', '\u0301', '\u{1f600}', 'jane@ -radio', '@ -radio', '!!! -radio', '-@ -radio'],
];

describe('a q without searchable text', () => {
  const { service, keys } = useService([
    ...media,
    madeRecord({ id: 'signs', name: '¡¡¡', email: 'desk@signs.example' }),
  ]);

  const found = async (q: string) => {
    const query = `q=${encodeURIComponent(q)}`;
    const search = await service.get(`/api/v1/search?${query}`).expect(200);
    const facets = await service.get(`/api/v1/facets?${query}`).expect(200);
    const file = await service.get(`/api/v1/export?kind=outlet|podcast|newsletter&${query}`, keys.premium).expect(200);
    return {
      search: search.body.total,
      shown: search.body.results.length,
      facets: facets.body.total,
      countries: facets.body.countries,
      export: file.headers['x-total-count'],
      rows: parse(file.text, { columns: true }).length,
    };
  };
  const nothing = { search: 0, shown: 0, facets: 0, countries: [], export: '0', rows: 0 };

  it.each(sayingNothing)('finds nothing in search, facets and exports: %j', async (q) => {
    expect(await found(q)).toEqual(nothing);
  });

  it('counts as absent if empty, and finds a name that is all punctuation', async () => {
    expect(await found(' ')).toMatchObject({ search: media.length + 1, facets: media.length + 1 });
    expect(await found('¡¡¡')).toMatchObject({ search: 1, rows: 1 });
  });

  it('is ignored next to words with a meaning', async () => {
    expect(await found('jane@ harbour')).toMatchObject({ search: 1 });
    expect(await found('-radio')).toMatchObject({ search: media.length });
    expect(await found('jane@harbour-times.example')).toMatchObject({ search: 1 });
  });
});

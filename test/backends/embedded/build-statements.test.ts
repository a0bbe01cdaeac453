import { describe, expect, it } from 'vitest';
import { buildBest, buildPlacePools, buildTraitPools } from '#backends/embedded/build-similar.ts';
import {
  buildAudiences,
  buildCount,
  buildFacet,
  buildMatched,
  buildNearest,
  buildPage,
  buildRows,
  buildScan,
  buildTier,
  type ResolvedText,
  type Statement,
  selectFew,
  selectMany,
  selectMatched,
} from '#backends/embedded/build-statements.ts';
import type { SimilarPlan } from '#search/plan-similar.ts';
import type { Filter, Page } from '#search/search-query.ts';

const page: Page = { sort: { key: 'relevance', reversed: false }, offset: 20, limit: 10 };
const herald = { match: 'exact : "herald"', comparesNames: true };
const text: ResolvedText = {
  nameKey: 'herald',
  match: '(exact : "herald" OR ("herald" *))',
  exclusion: null,
  tiers: [herald],
};
const filters: Filter[] = [
  { field: 'country', any: ['US', 'CA'], none: [] },
  { field: 'type', any: [], none: ['tv'] },
  { field: 'categories', any: ['music'], none: ['kids'] },
  { present: 'email' },
];

const similar: SimilarPlan = {
  id: 'times',
  kind: 'outlet',
  traits: [
    { of: [{ field: 'categories', value: 'politics' }], weight: 3, suffices: true },
    { of: [{ field: 'country', value: 'GB' }], weight: 2, suffices: true },
    {
      of: [
        { field: 'country', value: 'GB' },
        { field: 'region', value: 'england' },
      ],
      weight: 2,
      suffices: true,
    },
    { of: [{ field: 'language', value: 'en' }], weight: 2, suffices: false },
  ],
  words: ['harbour'],
};

const namedWithin: Filter[] = [
  { range: 'updated_at', bound: 'from', value: '2026-01-04T00:00:00.000Z' },
  { range: 'updated_at', bound: 'before', value: '2026-02-01T00:00:00.000Z' },
  { range: 'audience', bound: 'to', value: 5_000 },
  { identity: 'id', any: ['times', 'radio'], none: ['pod'] },
  { identity: 'url', any: ['news.bbc.co.uk'], none: ['herald.example'] },
];

/** Statements, named for what they show. */
const statements: Record<string, Statement> = {
  'the rows of a page for a masked caller': buildRows([3, 1, 2], 'masked'),
  'the rows of a page with addresses': buildRows([3, 1, 2], 'full'),
  'a page without a text': buildPage(null, [], page),
  'a sort by audience, reversed': buildPage(null, filters, { ...page, sort: { key: 'audience', reversed: true } }),
  'nothing but exclusions': buildPage({ nameKey: 'radio', match: null, exclusion: '("radio")', tiers: [] }, [], page),
  'the best of a tier under filters': buildTier(text, herald, filters, page.sort, 30),
  'the worst of a tier': buildTier(text, herald, [], { key: 'relevance', reversed: true }, 30),
  'names near the typed one': buildNearest(text, herald, [], page.sort),
  'a scan reads rows as they come': buildScan(text, filters),
  'the most similar of compared records': buildBest(similar, new Map([[7, 4.5]]), 60, 'masked'),
  'a count of named records within ranges': buildCount(null, namedWithin),
  'a count under filters': buildCount(text, filters),
  'a count under a filter alone': buildCount(null, filters),
  'a histogram of the audience leaves out its bounds': buildAudiences(text, namedWithin),
  'a facet of many records': buildFacet('country', selectMany(null, filters)),
  'a facet of few records': buildFacet('country', selectFew(text, filters)),
  'what is kept of few records': buildMatched(selectFew(null, filters)),
  'a facet of a list among what is kept': buildFacet('categories', selectMatched),
};

describe('the SQL of a query', () => {
  it.each(Object.entries(statements))('%s', async (name, { sql, values }) => {
    const file = `../../golden/embedded/statement--${name.replaceAll(/[ ,]+/g, '-')}.sql`;
    const lines = sql
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    await expect(`${lines.join('\n')}\n-- ${JSON.stringify(values)}\n`).toMatchFileSnapshot(file);
  });

  it('never selects the address for callers who may only see masks', () => {
    expect(buildRows([1], 'masked').sql).not.toMatch(/r\.email/);
  });

  it('compares first the records that share most, and none that share only a language', () => {
    expect(buildTraitPools(similar).map(({ values: [match] }) => String(match).match(/(?<=\.)[a-z]+/g))).toEqual([
      ['politics', 'gb', 'en', 'outlet'],
      ['politics', 'en', 'outlet'],
      ['politics', 'gb', 'outlet'],
      ['gb', 'en', 'outlet'],
      ['politics', 'outlet'],
      ['gb', 'outlet'],
    ]);
    expect(buildPlacePools(similar).map(({ values }) => values)).toEqual([['outlet', 'GB', 'england']]);
  });
});

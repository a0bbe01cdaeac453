import { describe, expect, it } from 'vitest';
import { writeFilters } from '#http/pages/explorer.ts';
import { filterSchema, toSearchQuery } from '#http/parse/parameters.ts';
import { readParameters } from '#http/parse/read-request.ts';

/** How a query is written once it was read. */
function write(query: string): string {
  const { given, values } = readParameters(`?${query}`, filterSchema);
  return decodeURIComponent(String(writeFilters(given, toSearchQuery(values))));
}

describe('parameters that were read are written in one form', () => {
  it.each([
    ['country=us', 'country=US'],
    ['country=usa|!United Kingdom&country=US', 'country=US|!GB'],
    ['kind=Podcast', 'kind=podcast'],
    ['language=spanish', 'language=es'],
    ['continent=EU', 'continent=europe'],
    ['domain=https://www.Quay.example/news', 'domain=quay.example'],
    ['has_email=0&q=Radio', 'q=Radio'],
    ['has_email=TRUE&named=false', 'has_email=1'],
    ['q=radio&strict=true', 'q=radio&strict=1'],
    ['q=radio&strict=0', 'q=radio'],
    ['updated_since=2026-01-31T00:00:00Z', 'updated_since=2026-01-31'],
    ['updated_since=2026-01-31T12:30:00%2B02:00', 'updated_since=2026-01-31T10:30'],
    ['verified_since=2026-01-31T10:30:05.25Z', 'verified_since=2026-01-31T10:30:05.250'],
    ['min_audience=0100', 'min_audience=100'],
    ['city=Köln|!Bonn', 'city=Köln|!Bonn'],
    ['id=B|a', 'id=B|a'],
  ])('%s as %s', (query, written) => {
    expect(write(query)).toBe(written);
    expect(write(written)).toBe(written);
  });
});

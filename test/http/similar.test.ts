import { describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { madeRecord } from '#testing/made-record.ts';
import { publicUrl, useService } from './test-service.ts';

const inFlorida = { country: 'US', region: 'Florida', language: 'en' } as const;
const newspaper = { type: 'newspaper' } as const;
const local = { ...newspaper, categories: ['local_news', 'politics'] as MediaRecord['categories'] };
const description = 'Reports on mangroves, hurricanes and the county council.';
const site = 'https://www.gulf-courier.example/';

const records: readonly MediaRecord[] = [
  madeRecord({
    id: 'courier',
    name: 'Gulf Coast Courier',
    url: site,
    city: 'Naples',
    description,
    ...inFlorida,
    ...local,
  }),
  // Of the same medium: by its site, by its name in the same place.
  madeRecord({
    id: 'double-site',
    name: 'The Courier',
    url: 'http://gulf-courier.example',
    ...inFlorida,
    ...newspaper,
  }),
  madeRecord({ id: 'double-name', name: 'Gulf-Coast Courier', country: 'US', city: 'Naples', ...newspaper }),
  // Ever less alike.
  madeRecord({ id: 'same-city', name: 'Naples Ledger', city: 'Naples', ...inFlorida, ...local }),
  madeRecord({ id: 'same-topics', name: 'Ocala Star', city: 'Ocala', ...inFlorida, ...local }),
  madeRecord({ id: 'same-region', name: 'Tampa Ledger', categories: ['politics'], ...inFlorida, ...newspaper }),
  madeRecord({ id: 'same-country', name: 'Boston Ledger', country: 'US', language: 'en', audience: 10, ...newspaper }),
  madeRecord({ id: 'same-words', name: 'Swamp Review', language: 'pt', description: 'On mangroves and hurricanes.' }),
  // The same city of another country, with the name of the first.
  madeRecord({ id: 'other-naples', name: 'Gulf Coast Courier', country: 'IT', city: 'Naples', ...newspaper }),
  // Nothing in common, or only the language.
  madeRecord({
    id: 'unlike',
    name: 'Rádio Norte',
    country: 'BR',
    language: 'pt',
    type: 'radio',
    categories: ['music'],
  }),
  madeRecord({ id: 'same-language', name: 'Perth Surf', country: 'AU', language: 'en', type: 'blog' }),
  madeRecord({ id: 'of-another-kind', kind: 'podcast', name: 'Mangroves', ...inFlorida, categories: local.categories }),
  madeRecord({ id: 'known-by-name', name: 'Nothing Else' }),
  ...Array.from({ length: 60 }, (_, index) =>
    madeRecord({
      id: `show-${index}`,
      kind: 'podcast',
      name: `Show ${index}`,
      audience: 1_000 - index,
      url: 'https://publisher.example/',
      feed_url: `https://publisher.example/feeds/${index}`,
      categories: ['comedy'],
    }),
  ),
];

describe('GET /records/{id}/similar', () => {
  const { service } = useService(records);

  const similarTo = async (id: string, query = '') => {
    const { body, status } = await service.get(`/api/v1/records/${id}/similar${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.results.map((record: MediaRecord) => record.id);
  };

  it('finds what shares most first, without the record, its doubles and other kinds', async () => {
    const ids = await similarTo('courier');
    // How much words count depends on how rare they are, which in so few records means little.
    expect(ids).toContain('same-words');
    expect(ids.filter((id: string) => id !== 'same-words')).toEqual([
      ...['same-city', 'same-topics', 'same-region', 'other-naples', 'same-country'],
    ]);
  });

  it('finds nothing for a record of which only the name is known', async () => {
    const { body } = await service.get('/api/v1/records/known-by-name/similar');
    expect(body).toEqual({ results: [], total: 0, page: 1, per_page: 20, total_pages: 0, masked: true });
  });

  it('does not take the podcasts of one publisher for one, and stops after fifty, the largest audience first', async () => {
    const ids = await similarTo('show-3', '?per_page=50');
    expect(ids).toHaveLength(50);
    expect(ids.slice(0, 4)).toEqual(['show-0', 'show-1', 'show-2', 'show-4']);
  });

  it('is paged like a search, with links', async () => {
    const { body, headers, text } = await service.get('/api/v1/records/show-3/similar?per_page=20&page=3');
    expect(Object.keys(JSON.parse(text))).toEqual(['results', 'total', 'page', 'per_page', 'total_pages', 'masked']);
    expect(body).toMatchObject({ total: 50, page: 3, per_page: 20, total_pages: 3 });
    expect(body.results).toHaveLength(10);
    const url = `${publicUrl}/api/v1/records/show-3/similar?per_page=20&page=`;
    expect(headers.link).toBe(`<${url}1>; rel="first", <${url}2>; rel="prev", <${url}3>; rel="last"`);
  });
});

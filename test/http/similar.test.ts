import { describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { madeRecord, readMedia } from '#testing/made-record.ts';
import { publicUrl, useService } from './test-service.ts';

const records = [
  ...readMedia(new URL('similar.media.tsv', import.meta.url)),
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

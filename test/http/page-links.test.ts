import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageLinks } from '#http/page-answer.ts';
import { anyCharacter } from '#testing/form.ts';

const url = 'https://masthead.example/api/v1/search';

const linksOf = (given: URLSearchParams, numbers: Parameters<typeof pageLinks>[2]) =>
  pageLinks(url, given, numbers).Link ?? '';

function pagesOf(header: string): Record<string, number> {
  const links = header.matchAll(/<[^>]*[?&]page=(\d+)>; rel="(\w+)"/g);
  return Object.fromEntries([...links].map(([, page, rel]) => [rel, Number(page)]));
}

describe('the Link header', () => {
  it.each([
    [1, 20, 1, 'first=1 last=1'],
    [1, 20, 0, 'first=1 last=1'],
    [1, 20, 3, 'first=1 next=2 last=3'],
    [2, 20, 3, 'first=1 prev=1 next=3 last=3'],
    [3, 20, 3, 'first=1 prev=2 last=3'],
    [400, 20, 3, 'first=1 prev=3 last=3'],
    [500, 20, 5000, 'first=1 prev=499 last=500'],
    [1, 30, 5000, 'first=1 next=2 last=333'],
  ])(
    'on page %i of %i rows, of %i pages, links to %s, never past the last reachable one',
    (page, perPage, totalPages, pages) => {
      const links = pagesOf(linksOf(new URLSearchParams(), { page, perPage, totalPages }));
      expect(
        Object.entries(links)
          .map((link) => link.join('='))
          .join(' '),
      ).toBe(pages);
    },
  );

  it('keeps the parameters and replaces the page', () => {
    const given = new URLSearchParams({ q: 'a&b <c>', kind: '!outlet|podcast', page: '9' });
    expect(linksOf(given, { page: 1, perPage: 20, totalPages: 1 })).toBe(
      `<${url}?q=a%26b+%3Cc%3E&kind=%21outlet%7Cpodcast&page=1>; rel="first", <${url}?q=a%26b+%3Cc%3E&kind=%21outlet%7Cpodcast&page=1>; rel="last"`,
    );
  });

  it('stays short enough for proxies, however long the query, and drops next and prev last', () => {
    const long = new URLSearchParams({ q: '港'.repeat(300) });
    expect(pagesOf(linksOf(long, { page: 2, perPage: 20, totalPages: 9 }))).toEqual({ prev: 1, next: 3 });
    const longer = new URLSearchParams({ q: '😀'.repeat(500) });
    expect(linksOf(longer, { page: 2, perPage: 20, totalPages: 9 })).toBe('');
  });

  it('is a valid header, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.nat(9), (q, page) => {
        const header = linksOf(new URLSearchParams({ q }), { page: page + 1, perPage: 20, totalPages: 5 });
        expect(header).toMatch(/^[\x20-\x7e]*$/);
        expect(header.length).toBeLessThanOrEqual(6000);
      }),
    );
  });
});

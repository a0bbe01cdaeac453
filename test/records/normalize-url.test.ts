import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeUrl, urlKey } from '#records/normalize/normalize-url.ts';
import { ofForm } from '#testing/form.ts';
import { hostileText, plainAddress } from '../text/hostile-text.ts';

const urlOf = (text: string, base?: string) => {
  const result = normalizeUrl(text, base);
  return 'url' in result ? result.url : result.fault;
};

describe('a web address', () => {
  it('that is a path alone is resolved against its page', () => {
    expect(urlOf('/rss.xml', 'http://x.example/home')).toBe('http://x.example/rss.xml');
    expect(urlOf('/rss.xml')).toBe('unreadable');
  });

  it('has the same key however it is spelled', () => {
    const spellings = ['http://www.x.example/news/', 'https://x.example/news', 'https://X.example:443/news#top'];
    expect(new Set(spellings.map((url) => urlKey(urlOf(url)))).size).toBe(1);
    expect(urlKey('https://x.example/news?id=1')).not.toBe(urlKey('https://x.example/news?id=2'));
  });

  it('stays the same when read again, is http or https, and contains no address and no password', () => {
    const text = fc.oneof(
      hostileText,
      fc.tuple(fc.constantFrom('http://', 'https://x.example/', ''), hostileText).map((parts) => parts.join('')),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
    );
    fc.assert(
      fc.property(text, (given) => {
        const result = normalizeUrl(given, 'https://base.example/');
        if ('fault' in result) return;
        expect(normalizeUrl(result.url)).toEqual({ url: result.url, changes: [] });
        const { protocol, username, password } = new URL(result.url);
        expect([protocol.replace('s', ''), username, password]).toEqual(['http:', '', '']);
        const decoded = result.url
          .replace(/%(25)*40/g, '@')
          .replace(/%(25)*2e/gi, '.')
          .replace(/%(25)*20/g, ' ');
        expect(decoded).not.toMatch(plainAddress);
      }),
      { numRuns: ofForm(200, 5_000) },
    );
  });
});

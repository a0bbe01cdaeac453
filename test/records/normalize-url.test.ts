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
  it.each([
    ['HTTP://EXAMPLE.COM./News', 'http://example.com/News'],
    ['example.com:8080/x', 'https://example.com:8080/x'],
    ['http://http://www.x.example/rss', 'http://www.x.example/rss'],
    ['http://two-\n\nlines.example/a', 'http://two-lines.example/a'],
    ['http://x.example?a=1&amp;b=2', 'http://x.example/?a=1&b=2'],
    ['http://x.example/melbourne news', 'http://x.example/melbourne%20news'],
    ['http://листок.рф', 'http://xn--h1aebnog.xn--p1ai/'],
    ['http://203.0.113.7/', 'not_public'],
    ['http://8.8.8.8/', 'http://8.8.8.8/'],
    ['http://[::1]/', 'not_public'],
    ['http://2130706433/', 'not_public'],
    ['http://printer.local/', 'not_public'],
    ['St.Louis', 'unreadable'],
    ['index.html', 'unreadable'],
    ['desk@x.example', 'unreadable'],
    ['mailto:desk@x.example', 'not_a_web_address'],
    ['http://nul\0.example/', 'unreadable'],
  ])('%j is %s', (text, expected) => {
    expect(urlOf(text)).toBe(expected);
  });

  it('that is a path alone is resolved against its page', () => {
    expect(urlOf('/rss.xml', 'http://x.example/home')).toBe('http://x.example/rss.xml');
    expect(urlOf('/rss.xml')).toBe('unreadable');
  });

  it.each([
    ['https://x.example/?to=desk@x.example&a=1', 'https://x.example/'],
    ['https://x.example/staff/desk%40x.example/more', 'https://x.example/'],
    ['https://x.example/desk%2540x%252eexample', 'https://x.example/'],
    ['https://x.example/a#mailto:desk@x.example', 'https://x.example/a'],
    ['https://x.example/\u{18d1f}%40x.example', 'https://x.example/'],
    ['https://x.example/a#+@x.example', 'https://x.example/a'],
    ['https://x.example/a?to=+@x.example', 'https://x.example/a'],
    ['https://x.example/staff/+@x.example/more', 'https://x.example/'],
    ['https://video.example/@thetimes', 'https://video.example/@thetimes'],
    ['https://maps.example/@51.5,-0.12,17z', 'https://maps.example/@51.5,-0.12,17z'],
  ])('keeps no email address: %s is %s', (text, expected) => {
    expect(urlOf(text)).toBe(expected);
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

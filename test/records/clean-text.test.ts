import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText } from '#records/normalize/clean-text.ts';
import { ofForm } from '#testing/form.ts';
import { hostileText, plainAddress } from '../text/hostile-text.ts';

const clean = (text: string, limit = 300) => cleanText(text, limit, () => undefined);

function changesOf(text: string, limit = 300): string[] {
  const changes = new Set<string>();
  cleanText(text, limit, (change) => changes.add(change));
  return [...changes];
}

describe('text for display', () => {
  it.each([
    ['  The\t Daily \r\n Herald ', 'The Daily Herald'],
    ['Cafe\u0301', 'Café'],
    ['soft\u00adware\u200b \u202eevil\u202c', 'software evil'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['AT&T, a < b > c, R&B & Co', 'AT&T, a < b > c, R&B & Co'],
    ['<The> Slovak Spectator', '<The> Slovak Spectator'],
    ['<p>Daily <b>n</b>ews</p><br>views', 'Daily news views'],
    ['R&amp;amp;B &lt;i&gt;x&lt;/i&gt; &hellip;', 'R&B x …'],
    ['a&lt;script&gt;alert(1)&lt;/script&gt;b', 'a b'],
    ['<style>p{}</style><!-- no -->yes<![CDATA[!]]>', 'yes!'],
    ['cut off <a href="http://x.exa', 'cut off'],
    ['Write to desk@x.example or call', 'Write to or call'],
    ['mail: <mailto:a.b+c@x.example>!', 'mail: !'],
    ['a [at] x [dot] example', ''],
    ['ｄｅｓｋ＠x.example', ''],
    ['desk&#64;x.example', ''],
    ['@TheTimes and Live@Five', '@TheTimes and Live@Five'],
    ['lone \ud800 half', 'lone \ufffd half'],
  ])('%j is %j', (text, expected) => {
    expect(clean(text)).toBe(expected);
  });

  it.each([
    ['ZÃ¡rate', 'Zárate'],
    ['Itâ€™s', 'It’s'],
    ['ÃƒÂ¡', 'á'],
    ['Ãgueda', 'Ãgueda'],
    ['AÇÃO', 'AÇÃO'],
    ['Ã¡ 日', 'Ã¡ 日'],
  ])('mojibake is repaired only if it is certain: %s is %s', (text, expected) => {
    expect(clean(text)).toBe(expected);
  });

  it('is cut between words, and never within a character', () => {
    expect(clean('The Daily Herald', 12)).toBe('The Daily');
    expect(clean('x😀'.repeat(10), 5)).toBe('x😀x');
  });

  it('reports what was done that its owner should know about', () => {
    expect(changesOf('The <b>Daily</b> &amp; Herald')).toEqual([]);
    expect(changesOf('Nul\0 desk@x.example ZÃ¡rate')).toEqual(['control_characters', 'address_removed', 'repaired']);
    expect(changesOf('The Daily Herald', 5)).toEqual(['cut']);
  });

  it('never contains an address, and cleaning it again changes nothing', () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom(5, 40, 300), (text, limit) => {
        const once = clean(text, limit);
        expect(clean(once, limit)).toBe(once);
        expect(changesOf(once, limit)).toEqual([]);
        expect(once).not.toMatch(plainAddress);
        expect(once).not.toMatch(/\p{Cc}|\s\s|^\s|\s$/u);
        expect(once.length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: ofForm(200, 5_000) },
    );
  });
});

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

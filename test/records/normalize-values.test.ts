import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import { normalizeCount, normalizeDate, normalizeId } from '#records/normalize/normalize-values.ts';
import { ofForm } from '#testing/form.ts';
import { hostileText } from '../text/hostile-text.ts';

describe('an email address', () => {
  it.each([
    ['Desk@X.Example', 'Desk@x.example'],
    ['News Desk <desk@x.example>', 'desk@x.example'],
    ['mailto:desk@x.example?subject=Hi', 'desk@x.example'],
    ['E-mail: desk@x.example.', 'desk@x.example'],
    ['<a href="mailto:desk@x.example">desk@x.example</a>', 'desk@x.example'],
    ['desk&#64;x.example', 'desk@x.example'],
    ['desk@münchen.example', 'desk@xn--mnchen-3ya.example'],
    ["o'brien+news@x.example", "o'brien+news@x.example"],
    ['desk at x dot example', 'obfuscated'],
    ['desk [at] x.example', 'obfuscated'],
    ['d***@x.example', 'masked'],
    ['desk@x', 'unreadable'],
    ['a..b@x.example', 'unreadable'],
    ['"a b"@x.example', 'unreadable'],
    ['desk\0@x.example', 'unreadable'],
    [`${'a'.repeat(65)}@x.example`, 'unreadable'],
    [`desk@${'a'.repeat(60)}.${`${'b'.repeat(60)}.`.repeat(4)}example`, 'too_long'],
  ])('%j is %s', (text, expected) => {
    const result = normalizeEmail(text);
    expect('email' in result ? result.email : result.fault).toBe(expected);
  });

  it.each(['desk@x.example; news@x.example', 'desk@x.example,news@x.example', 'desk@x.example | N <news@x.example>'])(
    'of several is the first, with a note: %s',
    (text) => {
      expect(normalizeEmail(text)).toEqual({ email: 'desk@x.example', isFirstOfSeveral: true });
    },
  );

  it('stays the same when read again', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.emailAddress()), (text) => {
        const result = normalizeEmail(text);
        if ('email' in result) {
          expect(normalizeEmail(result.email)).toEqual({ email: result.email, isFirstOfSeveral: false });
        }
      }),
      { numRuns: ofForm(200, 5_000) },
    );
  });
});

describe('a date', () => {
  it.each([
    ['2026-05-01', '2026-05-01T00:00:00.000Z'],
    ['2026-05-01T10:00:00+02:00', '2026-05-01T08:00:00.000Z'],
    ['2026-05-01 10:00', '2026-05-01T10:00:00.000Z'],
    ['31.12.2025', '2025-12-31T00:00:00.000Z'],
    ['12/31/2025', '2025-12-31T00:00:00.000Z'],
    ['05/06/2026', null],
    ['2026-02-30', null],
    ['0026-05-01', null],
    ['2026-05-01T25:00:00Z', null],
    ['soon', null],
  ])('%j is %s', (text, expected) => {
    expect(normalizeDate(text)).toBe(expected);
  });
});

describe('a whole number', () => {
  it.each([
    ['12,500', 12_500],
    ['12.500', 12_500],
    ['1.2M', 1_200_000],
    ['1,5 million', 1_500_000],
    ['~12k+', 12_000],
    ['1234.0', 1_234],
    ['-5', null],
    ['12,50', null],
    ['1.500 M', null],
    ['1.5', null],
    ['0.0005k', null],
    ['12.0', 12],
    ['1.1M', 1_100_000],
    ['99999999999', null],
    ['many', null],
  ])('%j is %s', (text, expected) => {
    expect(normalizeCount(text)).toBe(expected);
  });
});

describe('an id', () => {
  it.each([
    [' D1 ', { id: 'D1' }],
    [7, { id: '7' }],
    ['e\u0301', { id: '\u00e9' }],
    [null, { id: null }],
    ['N/A', { id: null }],
    [1.5, { fault: 'unreadable' }],
    [['d1'], { fault: 'unreadable' }],
    ['a\0b', { fault: 'control_characters' }],
    ['a\u200bb', { fault: 'control_characters' }],
    ['x'.repeat(200), { id: 'x'.repeat(200) }],
    ['x'.repeat(201), { fault: 'too_long' }],
    ['desk@x.example', { fault: 'address_in_id' }],
  ])('%j is %j', (value, expected) => {
    expect(normalizeId(value)).toEqual(expected);
  });
});

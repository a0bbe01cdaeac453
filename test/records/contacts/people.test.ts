import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitName } from '#records/contacts/people.ts';
import { readCases } from '#testing/cases.ts';

const cases = readCases<[name: string, first: string, last: string]>(new URL('people.tsv', import.meta.url));

describe('splitting a person’s name into first and last', () => {
  it.each(cases)('%j', (name, first, last) => {
    expect(splitName(name)).toEqual({ first, last });
  });

  it('adds nothing that was not in the name, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
        const { first, last } = splitName(name);
        const letters = new Set(name);
        expect([...first, ...last].every((letter) => letters.has(letter) || letter === ' ')).toBe(true);
        expect(first).toBe(first.trim());
        expect(last).toBe(last.trim());
      }),
    );
  });
});

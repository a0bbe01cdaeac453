import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitName } from '#records/contacts/people.ts';

/** A name, the first and the last name in it: a line each, with tabs between; a `#` begins a remark. */
const cases = readFileSync(new URL('people.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .map((line) => line.split('\t') as [name: string, first: string, last: string]);

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

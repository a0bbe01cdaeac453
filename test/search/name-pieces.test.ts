import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesNear, piecesOf } from '#search/name-pieces.ts';
import { ofForm } from '#testing/form.ts';
import { countEdits } from '#text/edit-distance.ts';

/** Few letters, so that names are near each other often. One of them has two code units. */
const name = fc.string({ unit: fc.constantFrom(...'abcж𝒶'), minLength: 1, maxLength: 14 });

type Edit = (letters: string[], place: number, letter: string) => unknown;
const edits: Edit[] = [
  (letters, place) => letters.splice(place, 1),
  (letters, place, letter) => letters.splice(place, 0, letter),
  (letters, place, letter) => letters.splice(place, 1, letter),
  (letters, place) => letters.splice(place, 2, ...letters.slice(place, place + 2).reverse()),
];
const slip = fc.record({
  edit: fc.constantFrom(...edits),
  place: fc.integer({ min: 1, max: 14 }),
  letter: fc.constantFrom(...'abcж'),
});

describe('pieces of names', () => {
  it('are three of a name, each with its place, the length of the name and its first letter', () => {
    expect(piecesOf('everettherald')).toEqual(['13 0 e ever', '13 1 e etth', '13 2 e erald']);
    expect(piecesOf('ab')).toEqual([]);
  });

  it('find every name with one or two slips after its first letter', () => {
    fc.assert(
      fc.property(name, fc.array(slip, { maxLength: 2 }), (meant, slips) => {
        const letters = [...meant];
        for (const { edit, place, letter } of slips) edit(letters, Math.min(place, letters.length), letter);
        const typed = letters.join('');
        const distance = countEdits(typed, meant, 2);
        fc.pre(distance <= 2 && [...meant].length > 2 && letters[0] === [...meant][0]);
        const asked = new Set(piecesNear(typed, distance));
        expect(piecesOf(meant).some((piece) => asked.has(piece))).toBe(true);
      }),
      { numRuns: ofForm(200, 5_000) },
    );
  });

  it('are so few for a long name that an engine can look up each', () => {
    expect(piecesNear('x'.repeat(100), 2).length).toBeLessThan(50);
    expect(piecesNear('thenewyorktimesmagazine', 2).length).toBeLessThan(50);
  });

  it('of names that have little in common are different', () => {
    const asked = new Set(piecesNear('everettherald', 2));
    for (const other of ['herald', 'everett', 'overettherald', 'eveningpostal']) {
      expect(piecesOf(other).filter((piece) => asked.has(piece))).toEqual([]);
    }
  });
});

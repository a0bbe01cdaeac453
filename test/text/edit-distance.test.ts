import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countEdits, findNearestWord, letterBits, mayBeWithin } from '#text/edit-distance.ts';

/** The textbook definition of the distance, slow but simple. */
function plainDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [x, y] = [a.slice(0, -1), b.slice(0, -1)];
  const least = Math.min(
    plainDistance(x, b) + 1,
    plainDistance(a, y) + 1,
    plainDistance(x, y) + (a.at(-1) === b.at(-1) ? 0 : 1),
  );
  const swapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return swapped ? Math.min(least, plainDistance(a.slice(0, -2), b.slice(0, -2)) + 1) : least;
}

const shortWord = fc.string({ unit: fc.constantFrom(...'abж'), maxLength: 6 });

describe('edits between two words', () => {
  it('match the plain definition, up to the requested maximum', () => {
    fc.assert(
      fc.property(shortWord, shortWord, fc.integer({ min: 1, max: 3 }), (a, b, most) => {
        expect(Math.min(countEdits(a, b, most), most + 1)).toBe(Math.min(plainDistance(a, b), most + 1));
      }),
    );
  });

  it('are never missed because of the letters alone', () => {
    fc.assert(
      fc.property(shortWord, shortWord, (a, b) => {
        expect(mayBeWithin(plainDistance(a, b), letterBits(a), letterBits(b))).toBe(true);
      }),
    );
  });
});

describe('the nearest word', () => {
  it.each([
    ['newspapr', ['newspaper', 'newsletter'], 'newspaper'],
    ['NEWSPAPER ', ['newspaper'], 'newspaper'],
    ['Cote dIvoir', ['Côte d’Ivoire', 'Croatia'], 'Côte d’Ivoire'],
    ['xx', ['tv', 'us'], null],
    ['', ['a'], null],
    ['anything', [], null],
  ])('to %j among %j is %j', (word, candidates, nearest) => {
    expect(findNearestWord(word, candidates)).toBe(nearest);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readKnownItems } from './known-item.ts';
import { mistype } from './mistype.ts';
import { missedFloors, readFloor } from './report.ts';
import { scoreByClass } from './score.ts';

describe('Scores', () => {
  const scores = scoreByClass([
    { class: 'b', rank: 1 },
    { class: 'b', rank: 4 },
    { class: 'a', rank: null },
    { class: 'a', rank: 2 },
  ]);

  test('are given by class, and over all queries', () => {
    expect(scores).toEqual([
      { class: 'a', queries: 2, mrr: 0.25, 'success@1': 0, 'success@10': 0.5 },
      { class: 'b', queries: 2, mrr: 0.625, 'success@1': 0.5, 'success@10': 1 },
      { class: 'all', queries: 4, mrr: 0.4375, 'success@1': 0.25, 'success@10': 0.75 },
    ]);
  });

  test('miss a floor only if they are below it', () => {
    const reached = { exact: scores, typo: scoreByClass([]) };
    expect(missedFloors([readFloor('success@1=0.25'), readFloor('mrr=0.4')], reached)).toEqual([]);
    expect(missedFloors([readFloor('success@10=0.76'), readFloor('typo.mrr=0.1')], reached)).toHaveLength(2);
  });

  test.each(['success@1', 'success@2=0.5', 'mrr=2', 'typos.mrr=0.5', '=1', 'mrr=x'])('reject the floor %j', (text) => {
    expect(() => readFloor(text)).toThrow('is no floor: write METRIC=SHARE');
  });
});

describe('A typo', () => {
  test('leaves a query without a word of five letters unchanged', () => {
    expect(mistype('The Sun 12345 人民日报', 1)).toBeNull();
  });

  test('is one edit in one word of five letters or more, never of its first letter, the same for the same seed', () => {
    const letter = fc.constantFrom(...'abcdeéñßжщאबक人');
    const query = fc.array(fc.string({ unit: letter, minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(query, fc.nat(), (words, seed) => {
        const typed = mistype(words.join(' '), seed);
        expect(mistype(words.join(' '), seed)).toBe(typed);
        if (typed === null) return words.every((word) => [...word].length < 5);
        const changed = words.filter((word, place) => typed.split(' ')[place] !== word);
        const slips = typed.split(' ').filter((word, place) => words[place] !== word);
        const isRepeated = words.some((word) => [...word].length >= 5 && new Set(word).size < word.length);
        expect(changed.length).toBeLessThanOrEqual(1);
        if (!isRepeated) expect(changed).toHaveLength(1);
        for (const [place, slip] of slips.entries()) {
          const word = [...(changed[place] ?? '')];
          expect(word.length).toBeGreaterThanOrEqual(5);
          expect([...slip][0]).toBe(word[0]);
          expect(isOneEdit(word, [...slip])).toBe(true);
        }
        return true;
      }),
    );
  });

  test('comes in all three kinds', () => {
    const lengths = Array.from({ length: 60 }, (_, seed) => mistype('observer', seed)?.length);
    expect(new Set(lengths)).toEqual(new Set([7, 8, 9]));
  });
});

describe('A file of known items', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'masthead-known-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = (text: string) => {
    const path = join(folder, 'queries.tsv');
    writeFileSync(path, text);
    return readKnownItems(path);
  };

  test('is read line by line, with quotes as they are', () => {
    expect(read('query\texpected_id\tclass\nThe "Sun"\ta-1\talias\r\n')).toEqual([
      { query: 'The "Sun"', expectedId: 'a-1', class: 'alias' },
    ]);
  });

  test.each([
    ['', 'the first line must be the header'],
    ['query,expected_id,class\n', 'the first line must be the header'],
    ['query\texpected_id\tclass\n', 'holds no queries'],
    ['query\texpected_id\tclass\na\tb\tc\nd\te\n', 'line 3: wanted a query, an expected_id and a class'],
  ])('is rejected with its fault: %j', (text, fault) => {
    expect(() => read(text)).toThrow(fault);
  });
});

function isOneEdit(word: readonly string[], slip: readonly string[]): boolean {
  const without = (letters: readonly string[]) => letters.map((_, place) => letters.toSpliced(place, 1).join(''));
  if (slip.length === word.length - 1) return without(word).includes(slip.join(''));
  if (slip.length === word.length + 1) return without(slip).includes(word.join(''));
  const places = word.keys().filter((place) => word[place] !== slip[place]);
  const [first = 0, second, ...more] = [...places];
  return second === first + 1 && more.length === 0 && word[first] === slip[second] && word[second] === slip[first];
}

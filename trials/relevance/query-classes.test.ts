import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countEdits } from '../../src/domain/search/edit-distance.ts';
import { fold, nameKey } from '../../src/domain/search/fold.ts';
import { LastWords } from './last-words.ts';
import { piecesOf } from './letters.ts';
import { queryClasses } from './query-classes.ts';

const lastWords = new LastWords([
  ...['Everett News', 'Leeds News', 'Leeds Herald', 'Oban Herald', 'Oban Lantern', 'Telegraph'],
  ...['Красная правда', 'Тихая правда', 'بوابة الشرق', 'جريدة الشرق', '明海 日报', '海明 日报'],
]);

function change(name: string, query: string, seed = 1): string | null {
  const found = queryClasses.find((queryClass) => queryClass.name === name);
  if (found === undefined) throw new RangeError(name);
  return found.change(query, seed, lastWords);
}

/** What a class makes of a query with many seeds. */
function changes(name: string, query: string): string[] {
  const typed = Array.from({ length: 60 }, (_, seed) => change(name, query, seed));
  return [...new Set(typed)].filter((text) => text !== null).sort();
}

const letter = fc.constantFrom(...'abcdeéñßжщёאबीرш人ガ', "'", '.', '(');
const query = fc
  .array(fc.string({ unit: letter, minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 5 })
  .map((words) => words.join(' '));

describe.each(queryClasses.map(({ name }) => name))('The class %s', (name) => {
  test('depends on the query and the seed alone, and never leaves a query as it is but for exact', () => {
    fc.assert(
      fc.property(query, fc.nat(), (text, seed) => {
        const typed = change(name, text, seed);
        expect(change(name, text, seed)).toBe(typed);
        if (name !== 'exact') expect(typed).not.toBe(text);
        expect(typed?.trim()).not.toBe('');
      }),
    );
  });
});

describe.each([
  { name: 'typo', edits: 1 },
  { name: 'wrong-letter', edits: 1 },
  { name: 'two-typos', edits: 2 },
])('$name', ({ name, edits }) => {
  test('leaves out a query without a word of five letters', () => {
    expect(change(name, 'The Sun 12345 人民日报')).toBeNull();
  });

  test.each(['Everett Herald', 'observer', 'Вечерний Кругозор', 'الشرق الأوسط', 'ガーディアンズ', 'नवलोक दर्पण'])(
    `is ${edits} edits away from %s, and keeps the first letters`,
    (text) => {
      const typed = changes(name, text);
      expect(typed.length).toBeGreaterThan(5);
      for (const one of typed) {
        expect(countEdits(fold(text), fold(one), 3), one).toBe(edits);
        expect(piecesOf(one).map(([first]) => first)).toEqual(piecesOf(text).map(([first]) => first));
      }
    },
  );
});

test('a typo drops a letter, adds one or swaps two, and changes one word', () => {
  expect(new Set(changes('typo', 'observer').map(({ length }) => length))).toEqual(new Set([7, 8, 9]));
  for (const typed of changes('typo', 'Everett Herald')) {
    expect(typed.startsWith('Everett ') || typed.endsWith(' Herald')).toBe(true);
  }
});

test('a wrong letter keeps the length, and is never only another case or accent', () => {
  for (const typed of changes('wrong-letter', 'Éclaireur')) {
    expect(typed).toHaveLength(9);
    expect(fold(typed)).not.toBe('eclaireur');
  }
});

test('two typos are in one word or in two', () => {
  const typed = changes('two-typos', 'Everett Herald');
  expect(typed.some((one) => one.endsWith(' Herald'))).toBe(true);
  expect(typed.some((one) => !one.startsWith('Everett ') && !one.endsWith(' Herald'))).toBe(true);
});

describe('Words', () => {
  test.each([
    ['unfinished', 'The New York Times', 'The New York Tim'],
    ['unfinished', 'Le Nouvelliste (Haiti)', 'Le Nouvelliste (Hai'],
    ['unfinished', "Écho d'Alger", "Écho d'Al"],
    ['unfinished', 'Вечерний Кругозор', 'Вечерний Кру'],
    ['unfinished', 'Guardian', null],
    ['unfinished', 'The Sun', null],
    ['unfinished', 'Channel 2000', null],
    ['reversed', 'The New York Times', 'Times York New The'],
    ['reversed', 'كشمير الكبرى', 'الكبرى كشمير'],
    ['reversed', 'Guardian', null],
    ['reversed', 'Duran Duran', null],
    ['joined', 'New York', 'NewYork'],
    ['joined', 'Вечерний Кругозор', 'ВечернийКругозор'],
    ['joined', 'Guardian', null],
    ['joined', 'BBC 中文网', null],
    ['joined', 'Route 66', null],
    ['split', 'Guardi', 'Gu ardi|Gua rdi|Guar di'],
    ['split', 'ガーディアン', 'ガー ディアン|ガーデ ィアン|ガーディ アン'],
    ['split', 'Times', null],
    ['plain', "L'Éclaireur des Étangs", 'leclaireur des etangs'],
    ['plain', 'U.S. News & World-Report', 'us news world report'],
    ['plain', 'Ёлки', 'елки'],
    ['plain', 'مَنارَة', 'منارة'],
    ['plain', 'R&D Lan\u00adtern', 'r d lantern'],
    ['plain', 'नवलोक दर्पण', null],
    ['plain', 'ガーディアン', null],
    ['plain', 'wire', null],
    ['plain', '!!!', null],
    ['missing-word', 'New York Times', 'New Times|New York|York Times'],
    ['missing-word', 'York Times', null],
    ['extra-word', 'The Leeds News', 'The Leeds News Herald'],
    ['extra-word', 'Вечерний Кругозор', 'Вечерний Кругозор правда'],
    ['extra-word', 'الأهرام', 'الأهرام الشرق'],
    ['extra-word', '明海灯笼日报', null],
    ['extra-word', 'Φανάρι', null],
  ])('%s: %s', (name, text, wanted) => {
    const typed = changes(name, text);
    if (wanted === null) expect(typed).toEqual([]);
    else
      expect(
        typed.every((one) => wanted.split('|').includes(one)),
        typed.join('|'),
      ).toBe(true);
    if (wanted !== null) expect(typed).toContain(wanted.split('|').at(-1));
  });

  test('are the same but for a blank when joined or split', () => {
    for (const name of ['joined', 'split']) {
      for (const typed of changes(name, 'Everett Daily Observer')) {
        expect(nameKey(typed).replaceAll(' ', '')).toBe('everettdailyobserver');
      }
    }
  });

  test('at the end of one name only are not added', () => {
    expect(changes('extra-word', 'Guardian')).toEqual(['Guardian Herald', 'Guardian News']);
  });
});

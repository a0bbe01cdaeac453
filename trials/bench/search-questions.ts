import type { MediaRecord } from '../../src/records/media-record.ts';
import type { Dice } from '../../src/sample/dice.ts';
import { foldedWords, isSpaceless } from '../../src/text/fold.ts';
import { hostOfUrl } from '../../src/text/hosts.ts';
import { mistype } from '../relevance/mistype.ts';

/** One search, as a caller writes it. */
export interface Question {
  q: string | null;
  filters: Readonly<Record<string, string>>;
  page: number;
  perPage: number;
}

/** The sorts of search that are measured, each with a way to make one up from the data. */
export const questionClasses = {
  'exact name': ({ record }) => ask(record().name),
  'one word': ({ word }) => ask(word()),
  'two words': ({ neighbours }) => ask(neighbours().join(' ')),
  prefix: ({ word, dice }) => ask([...word()].slice(0, 3 + dice.below(2)).join('')),
  'common word': ({ commonWord }) => ask(commonWord()),
  phrase: ({ neighbours }) => ask(`"${neighbours().join(' ')}"`),
  exclusion: ({ commonWord, word }) => ask(`${commonWord()} -${word()}`),
  typo: ({ record, dice }) => ask(firstOf(() => mistype(record().name, dice.below(1_000_000)))),
  CJK: ({ spaceless, dice }) => ask([...spaceless()].slice(0, 2 + dice.below(3)).join('')),
  host: ({ record }) => ask(firstOf(() => hostOfUrl(record().url ?? ''))),
  'kind and place words': ({ record }) => ask(firstOf(() => kindAndPlace(record()))),
  'filters only': ({ record }) => ({ ...ask(null), filters: filtersOf(record()) }),
  'word and filters': ({ record, commonWord }) => ({ ...ask(commonWord()), filters: filtersOf(record()) }),
  'no query': ({ dice }) => ({ ...ask(null), page: 1 + dice.below(20) }),
  nonsense: ({ dice }) => ask(Array.from({ length: 11 }, () => dice.pick([...'bcdfghjklmnpqrstvwxz'])).join('')),
  'long query': ({ record }) => ask(firstOf(() => longText(record()))),
  'deep page': ({ commonWord, dice }) => ({ ...ask(commonWord()), page: 400 + dice.below(100) }),
} as const satisfies Record<string, (data: QuestionData) => Question>;

export type QuestionClass = keyof typeof questionClasses;

/** What questions are made of: picks from the data. */
export interface QuestionData {
  dice: Dice;
  record(): MediaRecord;
  /** A word of a name, three letters or more. */
  word(): string;
  /** Two words that follow each other in a name. */
  neighbours(): string[];
  /** One of the twenty words that most records have. */
  commonWord(): string;
  /** A run of characters of a script without spaces. */
  spaceless(): string;
}

const tries = 100_000;

/** Generates queries from the records. */
export function questionData(records: readonly MediaRecord[], dice: Dice): QuestionData {
  const wordsOf = new Map(records.map((record) => [record, foldedWords(record.name)]));
  const spaceless = records.flatMap((record) => (wordsOf.get(record) ?? []).filter((word) => isSpaceless(word)));
  const common = commonWords(records, 20);
  const record = () => dice.pick(records);
  return {
    dice,
    record,
    word: () =>
      firstOf(
        () => dice.pick(wordsOf.get(record()) ?? [null]) ?? null,
        (word) => [...word].length >= 3,
      ),
    neighbours: () => {
      const words = firstOf(
        () => wordsOf.get(record()) ?? null,
        (list) => list.length >= 2,
      );
      const start = dice.below(words.length - 1);
      return words.slice(start, start + 2);
    },
    commonWord: () => dice.pick(common),
    spaceless: () => dice.pick(spaceless.length > 0 ? spaceless : ['新聞']),
  };
}

/** The question as a caller of the API writes it. */
export function toPath({ q, filters, page, perPage }: Question, operation: 'search' | 'facets' = 'search'): string {
  const paging = operation === 'search' ? { page: String(page), per_page: String(perPage) } : {};
  const parameters = new URLSearchParams({ ...filters, ...paging });
  if (q !== null) parameters.set('q', q);
  return `/api/v1/${operation}?${parameters}`;
}

export function ask(q: string | null): Question {
  return { q, filters: {}, page: 1, perPage: 20 };
}

/** Its kind, country, first category and language as filters. */
export function filtersOf({ kind, country, categories, language }: MediaRecord): Record<string, string> {
  const [category] = categories;
  return { kind, ...(country && { country }), ...(category && { category }), ...(language && { language }) };
}

/** Words for its kind or type and its place, as people type them; null if its place is not known. */
export function kindAndPlace({ kind, type, city, country_name }: MediaRecord): string | null {
  const place = city ?? country_name;
  return place === null ? null : `${type === null || type === 'other' ? kind : type} ${place}`;
}

function longText({ name, description, city, country_name }: MediaRecord): string | null {
  const words = [name, description, city, country_name].join(' ').split(/\s+/);
  return words.length < 12 ? null : words.slice(0, 20).join(' ').replaceAll(/["-]/g, ' ');
}

function commonWords(records: readonly MediaRecord[], count: number): string[] {
  const holders = new Map<string, number>();
  for (const { name, description } of records) {
    for (const word of new Set(foldedWords(`${name} ${description ?? ''}`))) {
      if (word.length >= 3 && !isSpaceless(word)) holders.set(word, (holders.get(word) ?? 0) + 1);
    }
  }
  return [...holders]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([word]) => word);
}

/** Tries until something fits; data in which nothing does cannot be measured. */
function firstOf<T>(make: () => T | null, fits: (made: T) => boolean = () => true): T {
  for (let left = tries; left > 0; left -= 1) {
    const made = make();
    if (made !== null && fits(made)) return made;
  }
  throw new Error('the data holds nothing to make questions of: give more records');
}

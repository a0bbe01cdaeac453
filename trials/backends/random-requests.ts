import { filterFields } from '../../src/records/fields.ts';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { countryName } from '../../src/records/places/countries.ts';
import type { Dice } from '../../src/sample/dice.ts';
import type { Filter } from '../../src/search/search-query.ts';
import { foldedWords } from '../../src/text/fold.ts';
import type { LastWords } from '../relevance/last-words.ts';
import { queryClasses } from '../relevance/query-classes.ts';

/** What somebody may ask for. */
export interface RandomRequest {
  text: string;
  filters: readonly Filter[];
  rows?: 'contacts';
}

/** Part of a text, of a record that somebody may look for; null if it says nothing of the kind. */
type Phrase = (record: MediaRecord, dice: Dice) => string | null;

const topics = 'sports,food,climate,tech,business,health,music,travel,true crime,cars,education,jewish,student'.split(
  ',',
);
const kinds = 'radio,newspapers,podcasts,magazine,tv stations,newsletter,news,weekly newspapers,news outlets'.split(
  ',',
);
const roles = 'editor,reporter,sports editor,producer,host'.split(',');

const place: Phrase = ({ city, region, country }, dice) =>
  dice.pick([city, region, country === null ? null : countryName(country)]);
const person: Phrase = ({ contacts }, dice) => (contacts.length === 0 ? null : dice.pick(contacts).name);
/** Neighboring words of a text. */
const piece = (text: string | null, dice: Dice, most: number) => {
  const words = (text ?? '').split(/\s+/);
  const first = dice.below(words.length);
  return words.slice(first, first + 1 + dice.below(most)).join(' ');
};

const phrases: Record<string, Phrase> = {
  name: ({ name }) => name,
  piece: ({ name }, dice) => piece(name, dice, 2),
  described: ({ description }, dice) => piece(description, dice, 3),
  sentence: ({ description }, dice) => piece(description, dice, 12),
  topic: (_, dice) => dice.pick(topics),
  kind: (_, dice) => dice.pick(kinds),
  role: (_, dice) => dice.pick(roles),
  place,
  person,
  host: ({ url }) => url,
};
/** What texts are made of, a line each: half of them are then damaged as people damage names. */
const forms =
  'name,name,piece,piece kind,name place,topic place,topic kind,kind place,topic kind place,described,described kind,sentence,sentence kind place,person,person kind,role place,person piece,host'
    .split(',')
    .map((form) => form.split(' '));

const filtered = ['kind', 'type', 'country', 'language', 'categories'] as const;

export function randomRequest(records: readonly MediaRecord[], lastWords: LastWords, dice: Dice): RandomRequest {
  const text = dice
    .pick(forms)
    .map((phrase) => phrases[phrase]?.(dice.pick(records), dice) ?? '')
    .join(' ');
  const damage = dice.chance(0.5) ? dice.pick(queryClasses) : null;
  const filters = dice.chance(0.3) ? randomFilters(dice.pick(records), dice) : [];
  const damaged = damage?.change(text, dice.below(1_000), lastWords) ?? text;
  return { text: damaged, filters, ...(dice.chance(0.2) && { rows: 'contacts' }) };
}

/** One or two filters that the record passes, and sometimes one of contacts. */
function randomFilters(record: MediaRecord, dice: Dice): Filter[] {
  const keys = new Set([dice.pick(filtered), dice.pick(filtered)]);
  const ofValues = filterFields.flatMap(({ key }): Filter[] => {
    const values = keys.has(key as 'kind') ? [record[key as 'kind']].flat().filter((value) => value !== null) : [];
    return values.length === 0 ? [] : [{ field: key, any: values, none: [] }];
  });
  const [title = 'editor'] = foldedWords(record.contacts[0]?.title ?? '');
  const ofContacts: Filter[] = [
    { present: 'email' },
    { present: 'contact_name' },
    { field: 'email_status', any: dice.chance(0.5) ? ['valid'] : [], none: dice.chance(0.5) ? ['invalid'] : [] },
    { field: 'contact_kind', any: [], none: ['desk'] },
    { field: 'title', any: [title], none: [] },
    { range: 'last_verified_at', bound: 'from', value: '2026-01-01T00:00:00.000Z' },
  ];
  return [...ofValues, ...(dice.chance(0.3) ? [dice.pick(ofContacts)] : [])];
}

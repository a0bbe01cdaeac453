import type { Contact } from '../../src/records/contacts/contact.ts';
import { personKey } from '../../src/records/contacts/same-person.ts';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { namesOfCity } from '../../src/records/places/city-names.ts';
import { regionCodes } from '../../src/records/places/regions.ts';
import type { SearchIndex } from '../../src/search/search-index.ts';
import { bestFirst as bestSort } from '../../src/search/search-query.ts';
import { understand } from '../../src/search/understanding/understand.ts';
import { foldedWords, nameKey } from '../../src/text/fold.ts';
import { mistype } from './mistype.ts';

/** A person at a medium, whose name nobody else has. */
export interface KnownPerson {
  contact: Contact;
  record: MediaRecord;
}

/** The persons of records by names of two words or more that no other contact has. */
export function uniquePersons(records: readonly MediaRecord[]): KnownPerson[] {
  const byName = new Map<string, KnownPerson[]>();
  for (const record of records) {
    for (const contact of record.contacts) {
      const key = personKey(contact.name);
      if (key !== '') byName.set(key, [...(byName.get(key) ?? []), { contact, record }]);
    }
  }
  return [...byName.values()].flatMap(([first, ...others]) => {
    const isUnique = first !== undefined && others.length === 0 && first.contact.kind === 'person';
    return isUnique && foldedWords(first.contact.name ?? '').length > 1 ? [first] : [];
  });
}

/** A way to ask for a person, and within how many results she must be. */
export interface PeopleClass {
  name: string;
  /** Null if the person cannot be asked for so. */
  ask: (person: KnownPerson, seed: number) => string | null;
  within: number;
}

const kindWords = { outlet: 'news', podcast: 'podcast', newsletter: 'newsletter' } as const;

export const peopleClasses: readonly PeopleClass[] = [
  { name: 'name', ask: ({ contact }) => contact.name, within: 1 },
  { name: 'name and medium', ask: ({ contact, record }) => `${contact.name} ${record.name}`, within: 1 },
  { name: 'one slip', ask: ({ contact }, seed) => mistype(contact.name ?? '', seed), within: 1 },
  { name: 'begun', ask: ({ contact }) => begun(contact.name ?? ''), within: 10 },
  {
    name: 'name and kind',
    ask: ({ contact, record }) => `${contact.name} ${record.type ?? kindWords[record.kind]}`,
    within: 1,
  },
  {
    name: 'name and role',
    ask: ({ contact }) => (contact.title === null ? null : `${contact.name} ${foldedWords(contact.title).at(-1)}`),
    within: 1,
  },
];

/** The name with the last word cut: `ann onei`. */
function begun(name: string): string | null {
  const words = name.split(' ');
  const last = words.at(-1) ?? '';
  return last.length < 6 ? null : [...words.slice(0, -1), last.slice(0, 4)].join(' ');
}

export interface PeopleScore {
  /** The share of people who were within the results of contacts, and whose media were within those of media. */
  contacts: number;
  media: number;
  asked: number;
  misses: string[];
}

/** Asks for each person in one way, where contacts are searched and where media are. */
export async function scorePeople(
  index: Pick<SearchIndex, 'search'>,
  people: readonly KnownPerson[],
  { ask, within }: PeopleClass,
  seed: number,
): Promise<PeopleScore> {
  const page = { sort: bestSort, offset: 0, limit: within };
  const score = { contacts: 0, media: 0, asked: 0, misses: [] as string[] };
  for (const person of people) {
    const typed = ask(person, seed);
    if (typed === null) continue;
    const query = { text: understand(typed), filters: [] };
    const [contacts, media] = await Promise.all([
      index.search({ ...query, rows: 'contacts' }, page, 'masked'),
      index.search(query, page, 'masked'),
    ]);
    const isHer = (row: MediaRecord) => row.id === person.record.id && row.contacts[0]?.id === person.contact.id;
    const isContact = contacts.records.some(isHer);
    const isMedium = media.records.some(({ id }) => id === person.record.id);
    score.asked += 1;
    score.contacts += Number(isContact);
    score.media += Number(isMedium);
    if (!isContact || !isMedium)
      score.misses.push(`${typed}: ${isContact ? '' : 'contact '}${isMedium ? '' : 'medium'}`);
  }
  return { ...score, contacts: score.contacts / score.asked, media: score.media / score.asked };
}

/**
 * The share of contacts that have the title and are at a medium in the place, among the first ten for `title city`, or among fewer
 * where fewer people are so. The place is a city by any of its names, or a region of that name.
 */
export async function scoreTitlesInPlaces(
  index: Pick<SearchIndex, 'search'>,
  people: readonly KnownPerson[],
  records: readonly MediaRecord[],
) {
  let [fitting, shown] = [0, 0];
  const misses: string[] = [];
  for (const { contact, record } of people) {
    if (contact.title === null || record.city === null) continue;
    const typed = `${contact.title} ${record.city}`;
    const wanted = foldedWords(contact.title);
    const asked = record.city;
    const names = [nameKey(asked), ...namesOfCity(asked, record.country)];
    const fitsPlace = ({ city, region, country }: MediaRecord) => {
      const regions = regionCodes(asked, country);
      const isInRegion = region !== null && regionCodes(region, country).some((code) => regions.includes(code));
      return isInRegion || (city !== null && namesOfCity(city, country).some((name) => names.includes(name)));
    };
    const fitsTitle = ({ title }: Contact) => wanted.every((word) => foldedWords(title ?? '').includes(word));
    const count = records
      .filter(({ city, country }) => city === record.city && country === record.country)
      .flatMap(({ contacts }) => contacts.filter(fitsTitle)).length;
    const query = { text: understand(typed), filters: [], rows: 'contacts' } as const;
    const page = { sort: bestSort, offset: 0, limit: Math.min(count, 10) };
    for (const row of (await index.search(query, page, 'full')).records) {
      const fits = fitsPlace(row) && row.contacts.some(fitsTitle);
      shown += 1;
      fitting += Number(fits);
      if (!fits)
        misses.push(`${typed}: ${row.contact_title} at ${row.name} in ${row.city}, ${row.region}, ${row.country}`);
    }
  }
  return { share: fitting / shown, shown, misses };
}

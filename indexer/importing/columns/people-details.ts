import {
  type ColumnKey,
  type ContactColumn,
  columnAt,
  findHandleColumn,
  isContactColumn,
} from '#records/contacts/contact-columns.ts';
import type { FlatContactKey, RecordKey } from '#records/media-record.ts';
import { isFlatKey } from '#records/normalize/normalize-contact.ts';
import { findCoverage } from '#records/normalize/source-words.ts';
import { nameKey } from '#text/fold.ts';
import { listFields } from '../row.ts';
import { usualColumns } from './column-map.ts';
import { ColumnSurvey } from './column-survey.ts';
import { fieldsInHeading, holdsEmail, isBareHost, isWebAddress, saysInOtherLanguage } from './guess-field.ts';
import {
  beats,
  beatsElsewhere,
  firstEmail,
  firstPhone,
  furtherEmail,
  furtherPhone,
  headingKey,
  homePage,
  idOfPerson,
  profiles,
  titles,
  vagueId,
} from './people-headings.ts';
import type { PersonInRow } from './people-in-row.ts';
import type { NameColumns } from './people-names.ts';
import { areIdsOfRecords, arePlacesOfPeople, differsAmongPeople } from './person-or-medium.ts';

/*
 * Decides what the columns beside the names of people say of a person (contract A18): job, beats, addresses, pages, handles and ids,
 * from their headings, and from values where a heading is not enough. What is about the person, and has no field of a contact, fills
 * nothing, so that it does not become a fact of the medium.
 */

/** What a column fills; null if it fills nothing. */
export type Meaning = readonly [heading: string, column: ColumnKey | null];

/** The columns of a list beside those of names. */
interface Beside {
  survey: ColumnSurvey;
  names: NameColumns;
  headings: readonly string[];
}

/** A column may have several meanings; the first counts. Those of further people are `email_2` and the like. */
export function findDetails(survey: ColumnSurvey, names: NameColumns, people: readonly PersonInRow[]): Meaning[] {
  const theirs = people.flatMap((person) => [...person.names, ...person.details.map(({ heading }) => heading)]);
  const taken = new Set([names.medium, ...names.person, ...theirs]);
  return [
    ...people.flatMap((person, index) => detailsOfOne(survey, names.medium, person, index + 1)),
    ...detailsOf({ survey, names, headings: survey.open.filter((heading) => !taken.has(heading)) }),
  ];
}

/** What the columns of one of several people say; what is hers and has no field of a contact fills nothing. */
function detailsOfOne(survey: ColumnSurvey, medium: string | null, person: PersonInRow, place: number): Meaning[] {
  const { names, details } = person;
  const nameCells = [...(medium === null ? [] : [medium]), ...names].map(
    (column) => [column, survey.cells(column)] as const,
  );
  const detailCells = details.map(({ heading, said }) => [said, survey.cells(heading)] as const);
  const own = new ColumnSurvey(usualColumns, new Map([...nameCells, ...detailCells]));
  const headings = details.map(({ said }) => said);
  const meanings = new Map(detailsOf({ survey: own, names: { medium, person: names }, headings }).toReversed());
  const filled = new Set<ColumnKey>();
  return details.map(({ heading, said, sort }): Meaning => {
    const usual = own.means(said) ?? (sort === null ? null : fieldOfSort[sort]);
    const hers = usual === 'linkedin_url' ? 'linkedin_handle' : usual;
    const field = meanings.has(said) ? meanings.get(said) : hers;
    if (field == null || !isOfPerson(field)) return [heading, null];
    const isTaken = filled.has(field) || survey.namedFor(columnAt(field, place)).length > 0;
    const free = isTaken && !listFields.has(field) ? furtherField[field] : field;
    filled.add(field);
    return [heading, free === undefined ? null : columnAt(free, place)];
  });
}

const fieldOfSort = { email: 'email', phone: 'phone', title: 'contact_title', beat: 'beats', link: null } as const;
const furtherField: Partial<Record<ColumnKey, ContactColumn>> = { email: 'other_email', phone: 'other_phone' };

function isOfPerson(column: ColumnKey): column is FlatContactKey | ContactColumn {
  return isContactColumn(column) || isFlatKey(column);
}

function detailsOf(beside: Beside): Meaning[] {
  return [
    ...findTitles(beside),
    ...findBeats(beside),
    ...findEmails(beside),
    ...findPhones(beside),
    ...findPages(beside),
    ...findHandles(beside),
    ...findTexts(beside),
    ...findPlaces(beside),
    ...findIds(beside),
  ];
}

function matching({ headings }: Beside, pattern: RegExp): string[] {
  return headings.filter((heading) => pattern.test(headingKey(heading)));
}

/** The same; without one, unknown headings that say this field in another language than English: `Móvil`. */
function saying(beside: Beside, pattern: RegExp, field: RecordKey): string[] {
  const plain = matching(beside, pattern);
  const isUnknown = (heading: string) => beside.survey.means(heading) === null;
  return plain.length > 0
    ? plain
    : beside.headings.filter((heading) => isUnknown(heading) && saysInOtherLanguage(heading, field));
}

function allMean(headings: readonly string[], column: ColumnKey | null): Meaning[] {
  return headings.map((heading) => [heading, column]);
}

/** Of several titles, the one that most people have. */
function findTitles(beside: Beside): Meaning[] {
  const { survey } = beside;
  if (survey.namedFor('contact_title').length > 0) return [];
  const areJobs = (heading: string) => fieldsInHeading(heading).includes('name') && survey.isJob(heading);
  const byFilled = [
    ...saying(beside, titles, 'contact_title').toSorted(survey.byFilled),
    // `Titel`
    ...beside.headings.filter((heading) => survey.means(heading) === null && areJobs(heading)),
  ];
  return [...allMean(byFilled.slice(0, 1), 'contact_title'), ...allMean(byFilled.slice(1), null)];
}

/** A medium has the same topics in all its rows, but many of its people have the same one: fewer differ than of other texts. */
const fewTopicsOfPeople = 1 / 5;

/** `Coverage` may also be the reach of the medium, or a number. An `Industry` may be a topic of the medium. */
function findBeats(beside: Beside): Meaning[] {
  const { survey, names } = beside;
  const isReach = (heading: string) => survey.isMostly(heading, (cell) => findCoverage(cell) !== null);
  const hasLetters = (heading: string) => survey.values(heading).some((cell) => /\p{L}/u.test(cell));
  const areBeats = (heading: string) => beats.test(headingKey(heading)) || beatsElsewhere.has(headingKey(heading));
  const headings = beside.headings.filter((heading) => areBeats(heading) && !isReach(heading) && hasLetters(heading));
  const topicsOfPeople = beside.headings.filter((heading) => {
    const field = survey.means(heading) ?? fieldsInHeading(heading)[0];
    return field === 'categories' && differsAmongPeople(survey, heading, names, fewTopicsOfPeople);
  });
  return allMean([...headings, ...topicsOfPeople], 'beats');
}

function findEmails(beside: Beside): Meaning[] {
  const { survey } = beside;
  const haveEmails = (heading: string) => survey.isMostly(heading, holdsEmail);
  const plain = saying(beside, firstEmail, 'email').filter(haveEmails);
  const further = matching(beside, furtherEmail).filter(haveEmails);
  const isFirstNamed = survey.namedFor('email').length > 0;
  return [
    ...allMean(plain.slice(0, 1), isFirstNamed ? 'other_email' : 'email'),
    ...allMean([...plain.slice(1), ...further], 'other_email'),
  ];
}

function findPhones(beside: Beside): Meaning[] {
  const { survey } = beside;
  const isPhone = (cell: string) => (cell.match(/\p{Nd}/gu)?.length ?? 0) >= 6;
  const plain = saying(beside, firstPhone, 'phone');
  // `Tel.` and `Handy`
  const inOtherLanguage = saying(beside, /^$/, 'phone').filter((heading) => !plain.includes(heading));
  const furtherHeadings = [...plain.slice(1), ...inOtherLanguage, ...matching(beside, furtherPhone)];
  const isFirstNamed = survey.namedFor('phone').length > 0;
  return [
    ...allMean(plain.slice(0, 1), isFirstNamed ? 'other_phone' : 'phone'),
    ...allMean(
      furtherHeadings.filter((heading) => survey.isMostly(heading, isPhone)),
      'other_phone',
    ),
  ];
}

/** The page of the medium, unless a usual heading has it, and the profiles of the people. */
function findPages(beside: Beside): Meaning[] {
  const { survey, names } = beside;
  const isPage = (cell: string) => isWebAddress(cell) || isBareHost(cell);
  const homePages = matching(beside, homePage).filter((heading) => survey.isMostly(heading, isPage));
  const isLink = (cell: string) => isWebAddress(cell) || cell.includes('/');
  // Pages that differ from person to person are no page of the medium: profiles, or articles.
  const ofPeople = beside.headings.filter((heading) => {
    const arePages = survey.isMostly(heading, isWebAddress) && findHandleColumn(heading) === null;
    return arePages && differsAmongPeople(survey, heading, names);
  });
  const isOnLinkedIn = (cell: string) => /linkedin\.com\/(?:in|pub)\//i.test(cell);
  return [
    ...allMean(survey.headingOf('url') === null ? homePages.slice(0, 1) : [], 'url'),
    ...allMean(
      matching(beside, profiles).filter((heading) => survey.isMostly(heading, isLink)),
      'links',
    ),
    ...ofPeople.map((heading): Meaning => [heading, survey.isMostly(heading, isOnLinkedIn) ? 'linkedin_handle' : null]),
  ];
}

function findHandles({ survey, headings }: Beside): Meaning[] {
  const isOnX = (cell: string) => cell.startsWith('@') || /(?:x|twitter)\.com/i.test(cell);
  const networks = headings.filter((heading) => nameKey(heading) !== 'x' && findHandleColumn(heading) !== null);
  // `x` without other networks may be anything.
  const isHandle = (heading: string) =>
    networks.includes(heading) || networks.length > 0 || survey.isMostly(heading, isOnX);
  return headings.filter(isHandle).flatMap((heading) => {
    const column = findHandleColumn(heading);
    return column === null ? [] : [[heading, column] as const];
  });
}

/** Other names, texts and tags of the people, which are not those of their medium: a tool's `VIP` would be seen by every buyer. */
function findTexts({ survey, names, headings }: Beside): Meaning[] {
  const areOfPeople = (heading: string) =>
    ['aliases', 'description', 'tags'].includes(survey.means(heading) ?? '') &&
    (nameKey(heading) === 'bio' || differsAmongPeople(survey, heading, names));
  return allMean(headings.filter(areOfPeople), null);
}

const places: ReadonlySet<string> = new Set(['country', 'country_name', 'region', 'city']);

/** Where the people are, which is not where their medium is. */
function findPlaces({ survey, names, headings }: Beside): Meaning[] {
  const areOfPeople = (heading: string) =>
    places.has(survey.means(heading) ?? fieldsInHeading(heading)[0] ?? '') &&
    arePlacesOfPeople(survey, heading, names.medium);
  return allMean(headings.filter(areOfPeople), null);
}

function findIds(beside: Beside): Meaning[] {
  const { survey, names } = beside;
  const filledIn = (pattern: RegExp) => matching(beside, pattern).filter((heading) => survey.isFilled(heading));
  return [
    ...filledIn(vagueId).map((heading): Meaning => {
      return [heading, areIdsOfRecords(survey, heading, names) ? 'id' : 'person_id'];
    }),
    ...allMean(filledIn(idOfPerson), 'person_id'),
  ];
}

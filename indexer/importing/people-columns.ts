import { type ColumnKey, findHandleColumn } from '#records/contacts/contact-columns.ts';
import { isNamedPerson, isOrganization, isPerson, namesDesk } from '#records/contacts/people.ts';
import { personKey } from '#records/contacts/same-person.ts';
import { recordKeys } from '#records/fields.ts';
import { cleanText } from '#records/normalize/clean-text.ts';
import { listEmails } from '#records/normalize/normalize-email.ts';
import { findCoverage } from '#records/normalize/source-words.ts';
import { findCountry } from '#records/places/countries.ts';
import { nameKey } from '#text/fold.ts';
import { isMailProvider } from '#text/pages.ts';
import type { ColumnMap } from './column-map.ts';
import {
  fieldOfPeople,
  fieldsInHeading,
  filled,
  holdsEmail,
  isBareHost,
  isWebAddress,
  most,
  partsOfNames,
} from './guess-field.ts';
import {
  beats,
  firstEmail,
  firstPhone,
  furtherEmail,
  furtherPhone,
  headingKey,
  homePage,
  idOfJournalist,
  idOfPerson,
  mayOwnMedia,
  mediumHeadings,
  namesPeople,
  profiles,
  titles,
  vague,
  vagueId,
} from './people-headings.ts';
import { partOfNameIn, quoteHeading, RefusedFile, type Sample } from './row.ts';

/*
 * What the columns of a list of people are (contract A18): which one names the medium, which the person, and what belongs to the
 * person. Lists of nine tools have no two alike, so headings decide, and values where a heading may mean either.
 */

/** The headings of our exports with `rows=contacts`, also of a list. */
const ourKeys: ReadonlySet<string> = new Set(
  [...recordKeys, 'contact_id', 'beats', 'links', 'list_status', 'list_note'].map(nameKey),
);

/** Whether all headings are ours, so that each means what it means in an export. */
export function areOurs(headings: readonly string[]): boolean {
  const named = headings.filter((heading) => heading !== '' && !heading.startsWith('reject_'));
  return named.every((heading) => ourKeys.has(nameKey(heading)));
}

/** A list of people: what its columns are, and which has the media; null if none does. */
interface PeopleList {
  columns: Record<string, ColumnKey | null>;
  medium: string | null;
}

/** The map with what the columns of a list of people mean; the same map for other lists. */
export function withPeople(map: ColumnMap, sample: Sample): ColumnMap {
  const list = readPeopleList(map, sample);
  return list === null ? map : map.with(list.columns);
}

/** @throws RefusedFile if a list has people and no column that says at which medium they are */
export function requireMedia(map: ColumnMap, sample: Sample): void {
  const list = readPeopleList(map, sample);
  if (list === null || list.medium !== null) return;
  const isText = (heading: string) => map.fieldOf(heading) === null && new ColumnSurvey(map, sample).isText(heading);
  const candidates = [...sample.keys()].filter((one) => !(one in list.columns) && !saysTitleOrCode(one) && isText(one));
  const [first = 'HEADING'] = candidates;
  const which = candidates.length === 0 ? 'a column' : `one of ${candidates.slice(0, 5).map(quoteHeading).join(', ')}`;
  throw new RefusedFile(
    'no_media',
    `has people, but no heading says at which medium they are, and a contact needs one. If ${which} does, use --columns FILE with \`columns: {${JSON.stringify(cleanText(first, 60))}: name}\`. People without a medium cannot be imported`,
  );
}

function readPeopleList(map: ColumnMap, sample: Sample): PeopleList | null {
  const columns: PeopleList['columns'] = {};
  const give = (heading: string, column: ColumnKey | null) => {
    if (!map.names(heading) && !(heading in columns)) columns[heading] = column;
  };
  const survey = new ColumnSurvey(map, sample);
  if (areOurs([...sample.keys()])) {
    // In other lists they are topics and a page.
    for (const heading of survey.open)
      if (nameKey(heading) === 'beats' || nameKey(heading) === 'links') give(heading, nameKey(heading) as ColumnKey);
    return { columns, medium: survey.headingOf('name') ?? survey.headingOf('id') ?? '' };
  }
  const plain = findMedium(survey);
  const person = findPerson(survey, plain);
  if (person.length === 0) return null;
  const medium = plain ?? findVagueMedium(survey, person);
  if (medium !== null) give(medium, 'name');
  for (const heading of person) give(heading, 'contact_name');
  giveWhatBelongsToPeople(survey, give, { medium, person });
  // A first name beside a full name says nothing new, and no other column names the medium.
  for (const heading of partsOfNames(sample)) give(heading, null);
  for (const heading of survey.open) if (survey.means(heading) === 'name') give(heading, null);
  return { columns, medium: medium ?? survey.headingOf('id') ?? survey.headingOf('url') };
}

/** What the headings and values of a list say, apart from columns that a column file names. */
class ColumnSurvey {
  readonly map: ColumnMap;
  readonly sample: Sample;
  /** Headings that the column file says nothing of. */
  readonly open: readonly string[];

  constructor(map: ColumnMap, sample: Sample) {
    this.map = map;
    this.sample = sample;
    this.open = [...sample.keys()].filter((heading) => !map.names(heading));
  }

  values(heading: string): string[] {
    return filled(this.sample.get(heading) ?? []);
  }

  /** Orders headings, those with most values first. */
  readonly byFilled = (one: string, other: string) => this.values(other).length - this.values(one).length;

  means(heading: string): ColumnKey | null {
    return this.map.fieldOf(heading);
  }

  /** The heading that a column file gives this field; null without one. */
  namedFor(field: ColumnKey): string | null {
    return [...this.sample.keys()].find((one) => this.map.names(one) && this.map.fieldOf(one) === field) ?? null;
  }

  /** The heading that fills this field in any list; null without one. */
  headingOf(field: ColumnKey): string | null {
    return [...this.sample.keys()].find((one) => this.map.fieldOf(one) === field) ?? null;
  }

  isJob(heading: string): boolean {
    return fieldOfPeople('name', this.values(heading), { hasOtherName: false }) === 'contact_title';
  }

  /** Text that is neither an address, a page nor a number. */
  isText(heading: string): boolean {
    const values = this.values(heading);
    return values.length > 0 && !most(values, (cell) => holdsEmail(cell) || isWebAddress(cell) || !/\p{L}/u.test(cell));
  }
}

/** The column that names the media: the plainest heading with text, but none that may be the name of the people. */
function findMedium(survey: ColumnSurvey): string | null {
  const named = survey.namedFor('name');
  if (named !== null) return named;
  const texts = survey.open.filter((heading) => survey.isText(heading) && !vague.has(headingKey(heading)));
  for (const plain of mediumHeadings) {
    const found = texts.find((heading) => headingKey(heading) === plain && !survey.isJob(heading));
    if (found !== undefined) return found;
  }
  const usual = texts.find((heading) => survey.means(heading) === 'name');
  if (usual !== undefined) return usual;
  const isGuess = (heading: string) =>
    survey.means(heading) === null &&
    partOfNameIn(heading) === null &&
    !saysTitleOrCode(heading) &&
    !namesPeople(headingKey(heading)) &&
    fieldsInHeading(heading).includes('name') &&
    !most(survey.values(heading), isNamedPerson) &&
    !most(survey.values(heading), isBareHost);
  // A list without any medium may have an empty column for it.
  const isEmpty = (heading: string) => survey.values(heading).length === 0;
  const [empty] = mediumHeadings.flatMap((plain) =>
    mayOwnMedia.has(plain) ? [] : survey.open.filter((one) => headingKey(one) === plain && isEmpty(one)),
  );
  return texts.find(isGuess) ?? empty ?? null;
}

/** `Jane Doe` or `Doe, Jane`. */
function isNamedPersonInOrder(cell: string): boolean {
  return isNamedPerson(cell) || isNamedPerson(cell.split(',').reverse().join(' ').trim());
}

/** Such a column holds jobs or codes: it never names a medium (contract A18). */
function saysTitleOrCode(heading: string): boolean {
  return /\b(?:titles?|codes?)\d*\b/.test(nameKey(heading)) && !vague.has(headingKey(heading));
}

/** The columns that name the people: one, or those of their first and last names. Empty if there are none. */
function findPerson(survey: ColumnSurvey, medium: string | null): string[] {
  const { sample, open, map } = survey;
  const named = [...sample.keys()].filter((one) => map.names(one) && map.fieldOf(one) === 'contact_name');
  if (named.length > 0) return named;
  const candidates = open.filter((heading) => heading !== medium);
  const isFilled = (heading: string) => survey.values(heading).length > 0;
  const usual = candidates.filter((heading) => isNameOfPerson(survey, heading));
  const [person] = usual.filter(isFilled);
  if (person !== undefined) return [person];
  // Of names in two scripts, those that more people have.
  const [fullName] = candidates.filter((heading) => isFullName(survey, heading, medium)).toSorted(survey.byFilled);
  const parts = [...partsOfNames(sample)].filter((heading) => candidates.includes(heading));
  const known = new Set(parts.map(partOfNameIn));
  if (known.has('first') && known.has('last')) return parts;
  if (fullName !== undefined) return [fullName];
  return known.has('first') || known.has('last') ? parts : usual.slice(0, 1);
}

/** `Name` or `Title` names the media where another column names the people, unless it repeats their names. */
function findVagueMedium(survey: ColumnSurvey, person: readonly string[]): string | null {
  const nameOf = (row: number) => person.map((heading) => survey.sample.get(heading)?.[row] ?? '').join(' ');
  const repeats = (heading: string) => {
    const rows = (survey.sample.get(heading) ?? []).map((cell, row) => [cell, nameOf(row)] as const);
    return most(
      rows.map(([cell, name]) => String(personKey(cell) === personKey(name))),
      (same) => same === 'true',
    );
  };
  const isMedium = (heading: string) =>
    !person.includes(heading) &&
    (survey.means(heading) ?? 'name') === 'name' &&
    !survey.isJob(heading) &&
    !repeats(heading);
  return survey.open.find((heading) => vague.has(headingKey(heading)) && isMedium(heading)) ?? null;
}

function isNameOfPerson(survey: ColumnSurvey, heading: string): boolean {
  const values = survey.values(heading);
  const isPlain = survey.means(heading) === 'contact_name' || namesPeople(headingKey(heading));
  if (!isPlain || vague.has(headingKey(heading))) return false;
  // In JSON, and in rejects of it, `contacts` has all that is said of them, and no names.
  const areContacts = values.length === 0 || most(values, (cell) => cell.startsWith('['));
  if (survey.means(heading) === 'contacts' && areContacts) return false;
  const isElse = (cell: string) => holdsEmail(cell) || isWebAddress(cell) || /^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(cell);
  return values.length === 0 || !most(values, isElse);
}

/** Whether `Name` has people: beside an outlet, see areContacts; without one, if most plainly are and another column is about people. */
function isFullName(survey: ColumnSurvey, heading: string, medium: string | null): boolean {
  if (!vague.has(headingKey(heading)) || headingKey(heading) === 'title') return false;
  const values = survey.values(heading);
  if (medium !== null && survey.values(medium).length > 0) return areContacts(survey, heading, medium);
  const hasTheirIds = survey.open.some((one) => idOfJournalist.test(headingKey(one)));
  const arePeople = hasTheirIds || most(values, isNamedPersonInOrder);
  if (medium !== null) return arePeople;
  const isAboutPeople = (one: string) =>
    titles.test(headingKey(one)) ||
    beats.test(headingKey(one)) ||
    idOfJournalist.test(headingKey(one)) ||
    findHandleColumn(one) !== null ||
    nameKey(one) === 'handle';
  const isOfMedia = survey.headingOf('url') ?? survey.headingOf('id') ?? survey.headingOf('feed_url');
  return (
    arePeople &&
    isOfMedia === null &&
    survey.open.some((one) => one !== heading && nameKey(one) !== 'title' && isAboutPeople(one))
  );
}

/**
 * Whether the values of `Name` beside a column of media are people and desks, as a name beside an outlet is (contract A18).
 * `Company` may name the owner of the media, so there most must be such names; beside a plainer heading most may not be media.
 */
function areContacts(survey: ColumnSurvey, heading: string, medium: string): boolean {
  const media = survey.sample.get(medium) ?? [];
  const rows = (survey.sample.get(heading) ?? [])
    .map((name, row) => ({ name, key: nameKey(name), medium: media[row] ?? '' }))
    .filter(({ name }) => filled([name]).length > 0);
  const named = Map.groupBy(rows, ({ key }) => key);
  /** `News tips` of one medium and of another. */
  const isShared = (key: string) => new Set(named.get(key)?.map((row) => nameKey(row.medium))).size > 1;
  const isContact = ({ name, key, medium: at }: (typeof rows)[number]) =>
    !/\p{Script=Latin}/u.test(name) ||
    isPerson(name, { name: at, aliases: [], url: null, feed_url: null, platform: null }) ||
    namesDesk(name) ||
    isShared(key);
  const others = rows.filter((row) => !isContact(row));
  if (others.length < rows.length / 2) return true;
  const isMedium = ({ name, key, medium: at }: (typeof rows)[number]) => key === nameKey(at) || isOrganization(name);
  return rows.length > 0 && !mayOwnMedia.has(headingKey(medium)) && others.filter(isMedium).length <= rows.length / 2;
}

type Give = (heading: string, column: ColumnKey | null) => void;

function giveWhatBelongsToPeople(
  survey: ColumnSurvey,
  give: Give,
  { medium, person }: { medium: string | null; person: readonly string[] },
): void {
  const others = survey.open.filter((heading) => heading !== medium && !person.includes(heading));
  const matching = (pattern: RegExp) => others.filter((heading) => pattern.test(headingKey(heading)));
  const hasLetters = (heading: string) => survey.values(heading).some((cell) => /\p{L}/u.test(cell));
  const [title, ...furtherTitles] = matching(titles).toSorted(survey.byFilled);
  if (title !== undefined && survey.namedFor('contact_title') === null) {
    give(title, 'contact_title');
    for (const heading of furtherTitles) give(heading, null);
  }
  for (const heading of matching(beats)) {
    const isReach = most(survey.values(heading), (cell) => findCoverage(cell) !== null);
    if (!isReach && hasLetters(heading)) give(heading, 'beats');
  }
  giveAddresses(survey, give, matching);
  if (survey.headingOf('url') === null) {
    for (const heading of matching(homePage)
      .filter((one) => most(survey.values(one), isPage))
      .slice(0, 1))
      give(heading, 'url');
  }
  for (const heading of matching(profiles)) {
    if (most(survey.values(heading), (cell) => isWebAddress(cell) || cell.includes('/'))) give(heading, 'links');
  }
  // Pages that differ from person to person are no page of the medium: profiles, or articles.
  for (const heading of others) {
    const arePages = most(survey.values(heading), isWebAddress) && findHandleColumn(heading) === null;
    const areProfiles = most(survey.values(heading), (cell) => /linkedin\.com\/(?:in|pub)\//i.test(cell));
    if (arePages && differsAmongPeople(survey, heading, { medium, person }))
      give(heading, areProfiles ? 'linkedin_handle' : null);
  }
  for (const heading of others) {
    const column = findHandleColumn(heading);
    // `x` alone may be anything.
    const isHandle = (cell: string) => cell.startsWith('@') || /(?:x|twitter)\.com/i.test(cell);
    if (column !== null && (nameKey(heading) !== 'x' || most(survey.values(heading), isHandle))) give(heading, column);
  }
  for (const heading of others) {
    const isOfSomebody = ['aliases', 'description'].includes(survey.means(heading) ?? '');
    if (isOfSomebody && (nameKey(heading) === 'bio' || differsAmongPeople(survey, heading, { medium, person })))
      give(heading, null);
  }
  for (const heading of others) {
    const field = survey.means(heading) ?? fieldsInHeading(heading)[0] ?? '';
    if (places.has(field) && arePlacesOfPeople(survey, heading, medium)) give(heading, null);
  }
  const isFilled = (heading: string) => survey.values(heading).length > 0;
  for (const heading of matching(vagueId).filter(isFilled))
    give(heading, isOfRecords(survey, heading, medium, person) ? 'id' : 'person_id');
  for (const heading of matching(idOfPerson).filter(isFilled)) give(heading, 'person_id');
}

const places: ReadonlySet<string> = new Set(['country', 'country_name', 'region', 'city']);

/**
 * Whether a column of places is about the people: colleagues, whose addresses have one host, are in several. Media of one name in
 * several places have hosts of their own.
 */
function arePlacesOfPeople(survey: ColumnSurvey, heading: string, medium: string | null): boolean {
  const addresses = [...survey.sample.keys()].filter((one) => most(survey.values(one), holdsEmail));
  const rows = (survey.sample.get(heading) ?? []).map((cell, row) => ({
    place: findCountry(cell)?.code ?? nameKey(cell),
    medium: nameKey(survey.sample.get(medium ?? '')?.[row] ?? ''),
    hosts: addresses
      .flatMap((one) => listEmails(survey.sample.get(one)?.[row] ?? '').map((email) => email.replace(/^.*@/, '')))
      .filter((host) => !isMailProvider(host)),
  }));
  const known = rows.filter((row) => row.medium !== '' && row.place !== '' && row.hosts.length > 0);
  const several = [...Map.groupBy(known, (row) => row.medium).values()].filter(({ length }) => length > 1);
  const apart = several
    .map((same) => [...Map.groupBy(same, ({ place }) => place).values()])
    .filter(({ length }) => length > 1);
  const shareHost = apart.filter(([first = [], ...others]) => {
    const hosts = new Set(first.flatMap((row) => row.hosts));
    return others.flat().some((row) => row.hosts.some((host) => hosts.has(host)));
  });
  return apart.length >= Math.max(1, several.length / 5) && shareHost.length === apart.length;
}

/** So few media with several people, of all, are rather several of one name. */
const fewWithSeveral = 1 / 10;

/** Whether a column says several things of most media of which the list has several people: then it is about the people. */
function differsAmongPeople(
  survey: ColumnSurvey,
  heading: string,
  { medium, person }: { medium: string | null; person: readonly string[] },
): boolean {
  const cellOf = (column: string, row: number) => survey.sample.get(column)?.[row] ?? '';
  const rows = (survey.sample.get(heading) ?? []).map((cell, row) => ({
    cell,
    medium: nameKey(cellOf(medium ?? '', row)),
    person: personKey(person.map((column) => cellOf(column, row)).join(' ')),
  }));
  const known = rows.filter(
    (row) => row.medium !== '' && row.person !== '' && filled([row.cell]).length > 0 && /\p{L}/u.test(row.cell),
  );
  const media = [...Map.groupBy(known, (row) => row.medium).values()];
  const several = media.filter((same) => new Set(same.map((row) => row.person)).size > 1);
  const differing = several.filter((same) => new Set(same.map(({ cell }) => cell)).size > 1);
  return several.length > media.length * fewWithSeveral && differing.length > several.length / 2;
}

function isPage(cell: string): boolean {
  return isWebAddress(cell) || isBareHost(cell);
}

function giveAddresses(survey: ColumnSurvey, give: Give, matching: (pattern: RegExp) => string[]): void {
  const isPhone = (cell: string) => (cell.match(/\p{Nd}/gu)?.length ?? 0) >= 6;
  const areEmails = (heading: string) => most(survey.values(heading), holdsEmail);
  const hasEmail = survey.namedFor('email') !== null;
  const [email, ...furtherEmails] = matching(firstEmail).filter(areEmails);
  if (email !== undefined) give(email, hasEmail ? 'other_email' : 'email');
  for (const heading of [...furtherEmails, ...matching(furtherEmail).filter(areEmails)]) give(heading, 'other_email');
  const [phone, ...furtherPhones] = matching(firstPhone);
  if (phone !== undefined) give(phone, survey.namedFor('phone') === null ? 'phone' : 'other_phone');
  const further = [...furtherPhones, ...matching(furtherPhone)];
  for (const heading of further.filter((one) => most(survey.values(one), isPhone))) give(heading, 'other_phone');
}

/**
 * Whether an id column has ids of records: nothing else names them, or one id stands for several people of a medium, or the list is
 * one of media with a contact for each, whose `name` seldom repeats.
 */
function isOfRecords(survey: ColumnSurvey, heading: string, medium: string | null, person: readonly string[]): boolean {
  if (medium === null) return true;
  const cell = (column: string, row: number) => survey.sample.get(column)?.[row] ?? '';
  const rows = (survey.sample.get(heading) ?? [])
    .map((id, row) => ({
      id,
      medium: nameKey(filled([cell(medium, row)])[0] ?? ''),
      person: person.map((one) => nameKey(cell(one, row))).join(' '),
    }))
    .filter((row) => row.id !== '' && row.medium !== '');
  const countOf = (some: typeof rows, key: keyof (typeof rows)[number]) => new Set(some.map((row) => row[key])).size;
  const byId = [...Map.groupBy(rows, ({ id }) => id).values()];
  if (byId.some((same) => countOf(same, 'medium') === 1 && countOf(same, 'person') > 1)) return true;
  if (!vague.has(nameKey(medium))) return false;
  const repeated = [...Map.groupBy(rows, (row) => row.medium).values()].filter((same) => countOf(same, 'id') > 1);
  return repeated.flat().length <= rows.length / 5;
}

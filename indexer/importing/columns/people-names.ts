import { findHandleColumn } from '#records/contacts/contact-columns.ts';
import { isNamedPerson, isOrganization, isPerson, namesDesk } from '#records/contacts/people.ts';
import { personKey } from '#records/contacts/same-person.ts';
import { findKind, findOutletType } from '#records/normalize/source-words.ts';
import { nameKey } from '#text/fold.ts';
import { partOfNameIn } from '../row.ts';
import { type ColumnSurvey, saysTitleOrCode } from './column-survey.ts';
import {
  areWays,
  fieldsInHeading,
  filledValues,
  holdsEmail,
  isBareHost,
  isWebAddress,
  partsOfNames,
  saysInOtherLanguage,
  saysJob,
} from './guess-field.ts';
import {
  beats,
  beatsElsewhere,
  headingKey,
  idOfJournalist,
  mayOwnMedia,
  mediumHeadings,
  namesPeople,
  plainMediumHeadings,
  strangers,
  titles,
  vague,
} from './people-headings.ts';

/*
 * Decides which columns of a list name the media and which the people (contract A18): from plain headings such as `Outlet` and
 * `Journalist`, and of `Name` or `Title`, which may be either, from its values and the columns beside it.
 */

/** The columns that name the media, null without one, and the people: one, or those of their first and last names. */
export interface NameColumns {
  medium: string | null;
  person: readonly string[];
}

export const nearlyAll = 0.8;
/** Fewer media may be called like people by chance. */
const enoughPeople = 5;

/** Null if the list names no people. */
export function findNames(survey: ColumnSurvey): NameColumns | null {
  const medium = findMedium(survey);
  const person = findPerson(survey, medium);
  return person.length === 0 ? null : { medium: medium ?? findVagueMedium(survey, person), person };
}

/** The column that names the media: the plainest heading with text, but none that may be the name of the people. */
function findMedium(survey: ColumnSurvey): string | null {
  const [named] = survey.namedFor('name');
  if (named !== undefined) return named;
  const texts = survey.open.filter((heading) => survey.isText(heading) && !vague.has(headingKey(heading)));
  // `Medium` may also say print or radio.
  const areKinds = (heading: string) =>
    survey.isMostly(heading, (cell) => (findKind(cell) ?? findOutletType(cell)) !== null);
  for (const plain of mediumHeadings) {
    const isPlain = (heading: string) => headingKey(heading) === plain && !survey.isJob(heading);
    const outlet = texts.find((heading) => isPlain(heading) && !areKinds(heading));
    if (outlet !== undefined) return outlet;
  }
  const usual = texts.find((heading) => survey.means(heading) === 'name');
  if (usual !== undefined) return usual;
  const isGuess = (heading: string) =>
    survey.means(heading) === null &&
    partOfNameIn(heading) === null &&
    !saysTitleOrCode(heading) &&
    !namesPeople(headingKey(heading)) &&
    fieldsInHeading(heading).includes('name') &&
    !survey.isMostly(heading, isNamedPerson) &&
    !survey.isMostly(heading, isBareHost);
  // A list without any medium may have an empty column for it.
  const empty = mediumHeadings
    .filter((plain) => !mayOwnMedia.has(plain))
    .map((plain) => survey.open.find((heading) => headingKey(heading) === plain && !survey.isFilled(heading)))
    .find((heading) => heading !== undefined);
  return texts.find(isGuess) ?? empty ?? null;
}

/** The columns that name the people; empty if there are none. */
function findPerson(survey: ColumnSurvey, medium: string | null): string[] {
  const named = survey.namedFor('contact_name');
  if (named.length > 0) return named;
  const candidates = survey.open.filter((heading) => heading !== medium);
  const usual = candidates.filter((heading) => isNameOfPerson(survey, heading));
  const person = usual.find((heading) => survey.isFilled(heading));
  if (person !== undefined) return [person];
  // Of names in two scripts, those that more people have.
  const [fullName] = candidates.filter((heading) => isFullName(survey, heading, medium)).toSorted(survey.byFilled);
  const parts = [...partsOfNames(survey.sample)].filter((heading) => candidates.includes(heading));
  const knownParts = new Set(parts.map(partOfNameIn));
  if (knownParts.has('first') && knownParts.has('last')) return parts;
  // `Name` beside `Vorname` has the last names, unless it repeats the first ones.
  const [otherPart, ...furtherParts] = parts.filter((heading) => partOfNameIn(heading) === null);
  const knownPart = parts.find((heading) => heading !== otherPart);
  const areApart = knownPart !== undefined && otherPart !== undefined && furtherParts.length === 0;
  if (areApart && !repeatsPart(survey, [knownPart, otherPart])) return parts;
  if (fullName !== undefined) return [fullName];
  if (knownParts.has('first') || knownParts.has('last')) return parts;
  return usual.length > 0 ? usual.slice(0, 1) : findUnnamedPerson(survey, medium);
}

/** Whether most cells of one of two columns are part of the other's. */
function repeatsPart(survey: ColumnSurvey, [one = '', other = '']: readonly string[]): boolean {
  const pairs = survey.cells(one).map((cell, row) => [personKey(cell), personKey(survey.cell(other, row))] as const);
  const filledPairs = pairs.filter(([cell, beside]) => cell !== '' && beside !== '');
  const repeated = filledPairs.filter(([cell, beside]) => cell.includes(beside) || beside.includes(cell));
  return repeated.length > filledPairs.length / 2;
}

/**
 * The first column that nearly always has the name of a person whose job its heading says; or the only one of another unknown heading,
 * beside a plain heading of media, that has hardly any twice. What repeats may be who looks after the medium.
 */
function findUnnamedPerson(survey: ColumnSurvey, medium: string | null): string[] {
  if (medium === null) return [];
  const headingsOfNames = survey.open.filter((heading) => {
    const names = survey.values(heading);
    const mayBeTheirs = survey.means(heading) === null && !strangers.test(headingKey(heading));
    return names.length > 1 && mayBeTheirs && names.filter(isNamedPersonInOrder).length >= names.length * nearlyAll;
  });
  const byJob = headingsOfNames.find(saysJob);
  if (byJob !== undefined) return [byJob];
  const hardlyRepeat = headingsOfNames.filter((heading) => {
    const names = survey.values(heading);
    return new Set(names.filter(isNamedPersonInOrder)).size >= names.length * nearlyAll;
  });
  return hardlyRepeat.length === 1 && plainMediumHeadings.has(headingKey(medium)) ? hardlyRepeat : [];
}

/** Whether a column of a plain heading, such as `Journalist`, has names: neither addresses nor, in JSON, whole contacts. */
function isNameOfPerson(survey: ColumnSurvey, heading: string): boolean {
  const isPlain = survey.means(heading) === 'contact_name' || namesPeople(headingKey(heading));
  const isElsewhere = () =>
    survey.means(heading) === null &&
    partOfNameIn(heading) === null &&
    saysInOtherLanguage(heading, 'contact_name') &&
    survey.isMostly(
      heading,
      (cell) => isNamedPersonInOrder(cell) || namesDesk(cell) || !/\p{Script=Latin}/u.test(cell),
    );
  if (vague.has(headingKey(heading)) || !(isPlain || isElsewhere())) return false;
  // In JSON, and in rejects of it, `contacts` has all that is said of them, and no names.
  const areContacts = !survey.isFilled(heading) || survey.isMostly(heading, (cell) => cell.startsWith('['));
  if (survey.means(heading) === 'contacts' && areContacts) return false;
  const isElse = (cell: string) => holdsEmail(cell) || isWebAddress(cell) || /^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(cell);
  return !survey.isMostly(heading, isElse) && !areWays(survey.values(heading));
}

/** Whether `Name` has people: beside an outlet, see areContacts; without one, if nearly all plainly are, or most, and another column is about people. */
function isFullName(survey: ColumnSurvey, heading: string, medium: string | null): boolean {
  if (!vague.has(headingKey(heading)) || headingKey(heading) === 'title') return false;
  if (medium !== null && survey.isFilled(medium)) return areContacts(survey, heading, medium);
  const hasTheirIds = survey.open.some((candidate) => idOfJournalist.test(headingKey(candidate)));
  const names = survey.values(heading);
  const people = names.filter(isNamedPersonInOrder);
  const arePeople = hasTheirIds || people.length > names.length / 2;
  if (medium !== null) return arePeople;
  const isOfMedia = survey.headingOf('url') ?? survey.headingOf('id') ?? survey.headingOf('feed_url');
  return (
    arePeople &&
    isOfMedia === null &&
    ((people.length >= enoughPeople && people.length >= names.length * nearlyAll) ||
      survey.open.some((candidate) => candidate !== heading && isAboutPeople(candidate)))
  );
}

/** Whether a heading other than those of names says something of people: a job, a beat, an id or a handle. */
function isAboutPeople(heading: string): boolean {
  if (nameKey(heading) === 'title') return false;
  return (
    titles.test(headingKey(heading)) ||
    saysInOtherLanguage(heading, 'contact_title') ||
    beats.test(headingKey(heading)) ||
    beatsElsewhere.has(headingKey(heading)) ||
    idOfJournalist.test(headingKey(heading)) ||
    findHandleColumn(heading) !== null ||
    nameKey(heading) === 'handle'
  );
}

/** `Jane Doe` or `Doe, Jane`. */
export function isNamedPersonInOrder(cell: string): boolean {
  return isNamedPerson(cell) || isNamedPerson(cell.split(',').reverse().join(' ').trim());
}

/**
 * Whether the values of `Name` beside a column of media are people and desks, as a name beside an outlet is (contract A18).
 * `Company` or `Brand` may name the owner or a part of the media, so there most must be such names; beside a plainer heading most may
 * not be media. A name that repeats its medium says nothing: in a list of media and people, it is the desk's.
 */
function areContacts(survey: ColumnSurvey, heading: string, medium: string): boolean {
  const rows = survey
    .cells(heading)
    .map((name, row) => ({ name, key: nameKey(name), medium: survey.cell(medium, row) }))
    .filter(({ name, key, medium: at }) => filledValues([name]).length > 0 && key !== nameKey(at));
  const byName = Map.groupBy(rows, ({ key }) => key);
  /** `News tips` of one medium and of another. */
  const isShared = (key: string) => new Set(byName.get(key)?.map((row) => nameKey(row.medium))).size > 1;
  const isPlainMedium = plainMediumHeadings.has(headingKey(medium)) || survey.means(medium) === 'name';
  // Without a column about people, only usual names of people are some: `Scam Goddess` beside a publisher is a show.
  const hasDetails =
    isPlainMedium || survey.open.some((column) => isAboutPeople(column) || survey.isMostly(column, holdsEmail));
  const mayBePerson = (name: string, at: string) =>
    !/\p{Script=Latin}/u.test(name) ||
    isPerson(name, { name: at, aliases: [], url: null, feed_url: null, platform: null });
  const isContact = ({ name, key, medium: at }: (typeof rows)[number]) =>
    (hasDetails ? mayBePerson(name, at) : isNamedPersonInOrder(name)) || namesDesk(name) || isShared(key);
  const doubtful = rows.filter((row) => !isContact(row));
  if (doubtful.length < rows.length / 2) return true;
  const areMedia = doubtful.filter(({ name }) => isOrganization(name)).length > rows.length / 2;
  return rows.length > 0 && isPlainMedium && !areMedia;
}

/** `Name` or `Title` names the media where another column names the people, unless it repeats their names. */
function findVagueMedium(survey: ColumnSurvey, person: readonly string[]): string | null {
  const personIn = (row: number) => person.map((heading) => survey.cell(heading, row)).join(' ');
  const repeatsPeople = (heading: string) => {
    const cells = survey.cells(heading);
    const repeated = cells.filter((cell, row) => personKey(cell) === personKey(personIn(row)));
    return repeated.length > cells.length / 2;
  };
  const isMedium = (heading: string) =>
    vague.has(headingKey(heading)) &&
    !person.includes(heading) &&
    (survey.means(heading) ?? 'name') === 'name' &&
    !survey.isJob(heading) &&
    !repeatsPeople(heading);
  return survey.open.find(isMedium) ?? null;
}

import { wordsOfUse } from '#languages/words.ts';
import { findHandleColumn } from '#records/contacts/contact-columns.ts';
import { nameKey } from '#text/fold.ts';
import { firstOfRepeated, partOfNameIn } from '../row.ts';
import type { ColumnSurvey } from './column-survey.ts';
import { fieldsInHeading, holdsEmail, isWebAddress, saysJob } from './guess-field.ts';
import {
  beats,
  firstEmail,
  firstPhone,
  furtherPhone,
  headingKey,
  profiles,
  strangers,
  titles,
} from './people-headings.ts';
import { isNamedPersonInOrder, type NameColumns, nearlyAll } from './people-names.ts';

/*
 * Decides whose the columns of a list are that has several people in a row: `Editor, Email, Adviser, Adviser email`. Headings decide
 * (`Adviser email`, `Email 2`), and else places, where each person has a column of that sort behind her name.
 */

type Sort = 'email' | 'phone' | 'title' | 'beat' | 'link';

/** A column that says something of a person: its heading without what says that it is hers, `email` of `Adviser email`. */
export interface Detail {
  heading: string;
  said: string;
  sort: Sort | null;
}

export interface PersonInRow {
  /** Her columns of names. */
  names: readonly string[];
  details: Detail[];
  /** The job that the heading of her name says; null for none. */
  job: string | null;
}

interface NameGroup extends PersonInRow {
  /** The words that tell her columns from those of others. */
  label: readonly string[];
  number: string | undefined;
  /** The place of the last column of her name. */
  end: number;
}

const wordsOfNames = new Set(
  [
    ...'name names full of the'.split(' '),
    ...'first last given family surname forename'.split(' '),
    ...['vague', 'part.first', 'part.last'].flatMap((use) => wordsOfUse(`heading.${use}`)),
  ]
    .flatMap((words) => nameKey(words).split(' '))
    .filter((word) => word !== 'title'),
);
/** Words that number people. */
const ordinals = new Map(
  Object.entries({ primary: '1', second: '2', secondary: '2', alternate: '2', backup: '2', third: '3' }),
);

/**
 * The people of a row in the order of their names, and at last nobody, with the addresses and phones of which no heading says whose
 * they are. Empty for a list that has one person in a row.
 */
export function findPeopleInRow(survey: ColumnSurvey, names: NameColumns): PersonInRow[] {
  const groups = findGroups(survey, names);
  if (groups.length < 2) return [];
  const isName = (heading: string) => heading === names.medium || groups.some((group) => group.names.includes(heading));
  const open = survey.open.filter((heading) => !isName(heading));
  const details = open.map((heading) => ({ heading, said: firstOfRepeated(heading), sort: sortOf(survey, heading) }));
  const labelled = details.filter((detail) => {
    const owner = labelledOwner(detail, groups);
    owner?.details.push({ ...detail, said: withoutLabel(detail.heading, owner) });
    return owner !== undefined;
  });
  const isLabelled = ({ heading }: Detail) => labelled.some((detail) => detail.heading === heading);
  const ofNobody = details.filter((detail) => {
    if (labelled.includes(detail) || detail.sort === null) return false;
    const placed = placedOwner(survey, detail, groups, details, labelled);
    // Beside `Adviser email`, a plain `Email` may be of anybody.
    const hasOwn = placed?.details.some((own) => own.sort === detail.sort && isLabelled(own));
    const owner = hasOwn ? undefined : placed;
    owner?.details.push(detail);
    return owner === undefined && (detail.sort === 'email' || detail.sort === 'phone');
  });
  const nobody = { names: [], details: ofNobody, job: null };
  return [...groups, ...(ofNobody.length === 0 ? [] : [nobody])];
}

/** The columns of names, by person. */
function findGroups(survey: ColumnSurvey, { medium, person }: NameColumns): NameGroup[] {
  const groups = partGroups(person);
  const [first = ''] = person;
  const isFurther = (heading: string) =>
    heading !== medium &&
    !person.includes(heading) &&
    !strangers.test(headingKey(heading)) &&
    namesFurther(survey, heading, first);
  const further = survey.open.filter(isFurther).map((heading) => [heading]);
  const placeOf = (heading: string) => survey.headings.indexOf(heading);
  return [...groups, ...further]
    .map((names): NameGroup => {
      const [heading = ''] = names;
      const label = labelOf(heading);
      const end = Math.max(...names.map(placeOf));
      return { names, label, end, number: numberIn(heading), details: [], job: jobIn(heading) };
    })
    .toSorted((one, other) => one.end - other.end);
}

/** Columns of first and last names, by person, if each has both. `Apellido paterno, Apellido materno, Nombre` are of one. */
function partGroups(person: readonly string[]): (readonly string[])[] {
  const groups: string[][] = [];
  for (const heading of person) {
    const last = groups.at(-1);
    const isOfLast =
      last?.every((other) => partOfNameIn(other) !== partOfNameIn(heading)) && isAlike(last[0] ?? '', heading);
    if (isOfLast) last?.push(heading);
    else groups.push([heading]);
  }
  return groups.every(({ length }) => length === 2) ? groups : [person];
}

/** Whether two headings of names have one label: `Editor first name`, `Editor last name`. */
function isAlike(one: string, other: string): boolean {
  return labelOf(one).join(' ') === labelOf(other).join(' ') && numberIn(one) === numberIn(other);
}

/**
 * Whether a column names a further person: its heading is that of the first with another number or once more, or nearly all its
 * values are people whose job the heading says, or most are and they have addresses under its heading.
 */
function namesFurther(survey: ColumnSurvey, heading: string, first: string): boolean {
  const isAgain = labelOf(first).join(' ') === labelOf(heading).join(' ') && partOfNameIn(heading) === null;
  if (isAgain && (numberIn(heading) !== undefined || heading !== firstOfRepeated(heading)))
    return !survey.isFilled(heading) || (survey.isText(heading) && !survey.isJob(heading));
  if (!survey.isMostly(heading, isNamedPersonInOrder)) return false;
  const names = survey.values(heading);
  if (saysJob(heading) && names.filter(isNamedPersonInOrder).length >= names.length * nearlyAll) return true;
  const label = labelOf(heading);
  const isAddressOf = (other: string) => {
    const words = headingKey(other).split(' ');
    return label.every((word) => words.includes(word)) && survey.isMostly(other, holdsEmail);
  };
  return label.length > 0 && survey.headings.some((other) => other !== heading && isAddressOf(other));
}

/** Her label without a number. */
function labelOf(heading: string): string[] {
  return headingKey(heading)
    .split(' ')
    .filter((word) => !wordsOfNames.has(word) && numberOf(word) === undefined);
}

function numberIn(heading: string): string | undefined {
  const numbers = nameKey(firstOfRepeated(heading)).split(' ').map(numberOf);
  return numbers.find((number) => number !== undefined);
}

function numberOf(word: string): string | undefined {
  return /^\d$/.test(word) ? word : ordinals.get(word);
}

/** Whose a column is by its heading: it has all words of the label, and of several labels most; or her job or number. */
function labelledOwner({ heading, sort }: Detail, groups: readonly NameGroup[]): NameGroup | undefined {
  const words = headingKey(heading).split(' ');
  const scores = groups.map(({ label, number }) => {
    const isWhole = label.length > 0 && label.every((word) => words.includes(word));
    const hasJob = sort !== null && label.some((word) => words.includes(word) && saysJob(word));
    const hasNumber = sort !== null && number !== undefined && number === numberIn(heading);
    return (isWhole ? label.length * 4 : hasJob ? 2 : 0) + (hasNumber ? 1 : 0);
  });
  const best = Math.max(...scores);
  return best > 0 && scores.filter((score) => score === best).length === 1 ? groups[scores.indexOf(best)] : undefined;
}

function withoutLabel(heading: string, { label, number }: NameGroup): string {
  const words = headingKey(heading).split(' ');
  const rest = words.filter((word) => !label.includes(word) && (number === undefined || numberOf(word) !== number));
  return rest.length === 0 ? heading : rest.join(' ');
}

function sortOf(survey: ColumnSurvey, heading: string): Sort | null {
  const key = headingKey(heading);
  if (survey.isMostly(heading, holdsEmail) || firstEmail.test(key)) return 'email';
  const unnumbered = key.split(' ').filter((word) => numberOf(word) === undefined);
  if (findHandleColumn(unnumbered.join(' ')) !== null || profiles.test(key)) return 'link';
  if (survey.isMostly(heading, isWebAddress)) return null;
  const field = survey.means(heading);
  const named = fieldsInHeading(heading);
  if (field === 'phone' || named.includes('phone') || firstPhone.test(key) || furtherPhone.test(key)) return 'phone';
  if (field === 'contact_title' || named.includes('contact_title') || titles.test(key) || survey.isJob(heading))
    return 'title';
  return beats.test(key) ? 'beat' : null;
}

/**
 * Whose a column is by its place. Between two names it is of the first, and behind the last one hers only if the first has such a
 * column behind her name, too, or another that is plainly hers follows. As many columns of one heading as people are one for each.
 */
function placedOwner(
  survey: ColumnSurvey,
  { heading, sort }: Detail,
  groups: readonly NameGroup[],
  details: readonly Detail[],
  labelled: readonly Detail[],
) {
  const placeOf = (column: string) => survey.headings.indexOf(column);
  const personBefore = (column: string) => groups.findLastIndex(({ end }) => end < placeOf(column));
  const areAlike = details.filter(
    (other) => other.sort === sort && firstOfRepeated(other.heading) === firstOfRepeated(heading),
  );
  const before = new Set(areAlike.map((other) => personBefore(other.heading)));
  if (areAlike.length === groups.length && (before.size === 1 || before.has(-1)))
    return groups[areAlike.findIndex((other) => other.heading === heading)];
  const last = groups.length - 1;
  const isOfEach = (one: Detail) =>
    details.some((other) => other.sort === one.sort && personBefore(other.heading) === 0 && !labelled.includes(other));
  const isOfLast = (one: Detail) => isOfEach(one) || groups[last]?.details.some((own) => own.heading === one.heading);
  const isFollowed = details.some(
    (other) => other.sort !== null && placeOf(other.heading) >= placeOf(heading) && isOfLast(other),
  );
  const person = personBefore(heading);
  return person < last || isFollowed ? groups[person] : undefined;
}

/** The job that a heading says: `News director` of `News director name`. */
function jobIn(heading: string): string | null {
  const isOfName = (word: string) => wordsOfNames.has(nameKey(word)) || numberOf(nameKey(word)) !== undefined;
  const parts = firstOfRepeated(heading)
    .replaceAll('_', ' ')
    .split(/[/,(:]/)
    .map((part) => part.trim());
  const job = parts
    .filter(saysJob)
    .map((part) =>
      part
        .split(' ')
        .filter((word) => !isOfName(word))
        .join(' ')
        .replace(/(?<=^(?:host|editor|producer|publisher))s$/i, ''),
    )
    .join('/');
  return job === '' ? null : `${job.slice(0, 1).toUpperCase()}${job.slice(1)}`;
}

import { type ColumnKey, columnAt } from '#records/contacts/contact-columns.ts';
import { recordKeys } from '#records/fields.ts';
import { cleanText } from '#records/normalize/clean-text.ts';
import { nameKey } from '#text/fold.ts';
import { quoteHeading, RefusedFile, type Sample } from '../row.ts';
import type { ColumnMap, Constants } from './column-map.ts';
import { ColumnSurvey, saysTitleOrCode } from './column-survey.ts';
import { partsOfNames } from './guess-field.ts';
import { findDetails, type Meaning } from './people-details.ts';
import { findPeopleInRow } from './people-in-row.ts';
import { findNames } from './people-names.ts';

/*
 * Decides what the columns of a list of people are (contract A18), from its headings and a sample of its values: which names the
 * medium and which the person (people-names.ts), then what belongs to the person (people-details.ts). Lists of nine tools have no
 * two alike, so headings decide, and values where a heading may mean either.
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

/** The map with what the columns of a list of people mean; the same map for other lists. */
export function withPeople(map: ColumnMap, sample: Sample): ColumnMap {
  const list = readPeopleList(map, sample);
  return list === null ? map : map.with(list.columns, map.unknown, list.titles);
}

/** @throws RefusedFile if a list has people and no column that says at which medium they are */
export function requireMedia(map: ColumnMap, sample: Sample): void {
  const list = readPeopleList(map, sample);
  if (list === null || list.hasMedia) return;
  const survey = new ColumnSurvey(map, sample);
  const mayNameMedia = (heading: string) =>
    !Object.hasOwn(list.columns, heading) &&
    !saysTitleOrCode(heading) &&
    survey.means(heading) === null &&
    survey.isText(heading);
  const candidates = survey.headings.filter(mayNameMedia);
  const [first = 'HEADING'] = candidates;
  const candidateNames =
    candidates.length === 0 ? 'a column' : `one of ${candidates.slice(0, 5).map(quoteHeading).join(', ')}`;
  throw new RefusedFile(
    'no_media',
    `has people, but no heading says at which medium they are, and a contact needs one. If ${candidateNames} does, use --columns FILE with \`columns: {${JSON.stringify(cleanText(first, 60))}: name}\`. People without a medium cannot be imported`,
  );
}

/** A list of people: what its columns are, null for those that fill nothing, and whether one of them says the medium. */
interface PeopleList {
  columns: Readonly<Record<string, ColumnKey | null>>;
  /** Of several people in a row, the jobs that the headings of their names say. */
  titles: Constants;
  hasMedia: boolean;
}

/** Null if the list has no people. */
function readPeopleList(map: ColumnMap, sample: Sample): PeopleList | null {
  const survey = new ColumnSurvey(map, sample);
  if (areOurs(survey.headings)) return { columns: columnsOfOurs(survey), titles: {}, hasMedia: true };
  const names = findNames(survey);
  if (names === null) return null;
  const { medium } = names;
  const inRow = map.hasFurtherPeople ? [] : findPeopleInRow(survey, names);
  const people = inRow.length > 0 ? inRow : [{ names: names.person, job: null }];
  const details = findDetails(survey, names, inRow);
  const meanings: Meaning[] = [
    ...[medium ?? []].flat().map((heading): Meaning => [heading, 'name']),
    ...people.flatMap(({ names }, index) => {
      return names.map((heading): Meaning => [heading, columnAt('contact_name', index + 1)]);
    }),
    ...details,
    // A first name beside a full name says nothing new, and no other column names the medium.
    ...[...partsOfNames(sample)].map((heading): Meaning => [heading, null]),
    ...survey.open.filter((heading) => survey.means(heading) === 'name').map((heading): Meaning => [heading, null]),
  ];
  // Of several meanings of a column the first counts, and that of a column file before all.
  const open = meanings.filter(([heading]) => !map.names(heading));
  const hasMedia = (medium ?? survey.headingOf('id') ?? survey.headingOf('url')) !== null;
  const titles = people.flatMap(({ job }, index) => {
    const title = columnAt('contact_title', index + 1);
    return job === null || details.some(([, column]) => column === title) ? [] : [[title, job]];
  });
  return { columns: Object.fromEntries(open.toReversed()), titles: Object.fromEntries(titles), hasMedia };
}

/** In other lists `beats` are topics and `links` a page. */
function columnsOfOurs(survey: ColumnSurvey): PeopleList['columns'] {
  const headings = survey.open.filter((heading) => ['beats', 'links'].includes(nameKey(heading)));
  return Object.fromEntries(headings.map((heading) => [heading, nameKey(heading) as ColumnKey]));
}

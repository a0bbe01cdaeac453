import { personKey } from '#records/contacts/same-person.ts';
import { listEmails } from '#records/normalize/normalize-email.ts';
import { findCountry } from '#records/places/countries.ts';
import { nameKey } from '#text/fold.ts';
import { isMailProvider } from '#text/pages.ts';
import type { ColumnSurvey } from './column-survey.ts';
import { filledValues, holdsEmail } from './guess-field.ts';
import { vague } from './people-headings.ts';
import type { NameColumns } from './people-names.ts';

/*
 * Decides whether a column of a list of people is about the person or the medium (contract A18), where its heading may be of either:
 * from how its cells differ among the people of one medium.
 */

/** So few media with several people, of all, are rather several of one name. */
const fewWithSeveral = 1 / 10;

/**
 * Whether a column says several things of media of which the list has several people, of most unless `share` is less than half:
 * then it is about the people.
 */
export function differsAmongPeople(
  survey: ColumnSurvey,
  heading: string,
  { medium, person }: NameColumns,
  share = 1 / 2,
): boolean {
  const rows = survey.cells(heading).map((cell, row) => ({
    cell,
    medium: nameKey(survey.cell(medium ?? '', row)),
    person: personKey(person.map((column) => survey.cell(column, row)).join(' ')),
  }));
  const completeRows = rows.filter(
    (row) => row.medium !== '' && row.person !== '' && filledValues([row.cell]).length > 0 && /\p{L}/u.test(row.cell),
  );
  const media = [...Map.groupBy(completeRows, (row) => row.medium).values()];
  const mediaOfSeveral = media.filter((rowsOfMedium) => new Set(rowsOfMedium.map((row) => row.person)).size > 1);
  const differing = mediaOfSeveral.filter((rowsOfMedium) => new Set(rowsOfMedium.map(({ cell }) => cell)).size > 1);
  return mediaOfSeveral.length > media.length * fewWithSeveral && differing.length > mediaOfSeveral.length * share;
}

/**
 * Whether a column of places is about the people: colleagues, whose addresses have one host, are in several. Media of one name in
 * several places have hosts of their own.
 */
export function arePlacesOfPeople(survey: ColumnSurvey, heading: string, medium: string | null): boolean {
  const addresses = survey.headings.filter((column) => survey.isMostly(column, holdsEmail));
  const rows = survey.cells(heading).map((cell, row) => ({
    place: findCountry(cell)?.code ?? nameKey(cell),
    medium: nameKey(survey.cell(medium ?? '', row)),
    hosts: addresses
      .flatMap((column) => listEmails(survey.cell(column, row)).map((email) => email.replace(/^.*@/, '')))
      .filter((host) => !isMailProvider(host)),
  }));
  const completeRows = rows.filter((row) => row.medium !== '' && row.place !== '' && row.hosts.length > 0);
  const mediaOfSeveral = [...Map.groupBy(completeRows, (row) => row.medium).values()].filter(
    ({ length }) => length > 1,
  );
  const apart = mediaOfSeveral
    .map((rowsOfMedium) => [...Map.groupBy(rowsOfMedium, ({ place }) => place).values()])
    .filter(({ length }) => length > 1);
  const shareHost = apart.filter(([first = [], ...elsewhere]) => {
    const hosts = new Set(first.flatMap((row) => row.hosts));
    return elsewhere.flat().some((row) => row.hosts.some((host) => hosts.has(host)));
  });
  return apart.length >= Math.max(1, mediaOfSeveral.length / 5) && shareHost.length === apart.length;
}

/**
 * Whether an id column has ids of records: nothing else names them, or one id stands for several people of a medium, or the list is
 * one of media with a contact for each, whose `name` seldom repeats.
 */
export function areIdsOfRecords(survey: ColumnSurvey, heading: string, { medium, person }: NameColumns): boolean {
  if (medium === null) return true;
  const rows = survey
    .cells(heading)
    .map((id, row) => ({
      id,
      medium: nameKey(filledValues([survey.cell(medium, row)])[0] ?? ''),
      person: person.map((column) => nameKey(survey.cell(column, row))).join(' '),
    }))
    .filter((row) => row.id !== '' && row.medium !== '');
  const countOf = (group: typeof rows, key: keyof (typeof rows)[number]) => new Set(group.map((row) => row[key])).size;
  const byId = [...Map.groupBy(rows, ({ id }) => id).values()];
  if (byId.some((rowsOfId) => countOf(rowsOfId, 'medium') === 1 && countOf(rowsOfId, 'person') > 1)) return true;
  if (!vague.has(nameKey(medium))) return false;
  const repeated = [...Map.groupBy(rows, (row) => row.medium).values()].filter(
    (rowsOfMedium) => countOf(rowsOfMedium, 'id') > 1,
  );
  return repeated.flat().length <= rows.length / 5;
}

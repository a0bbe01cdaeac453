import type { ColumnKey } from '#records/contacts/contact-columns.ts';
import { isNamedPerson } from '#records/contacts/people.ts';
import { maskEmail } from '#records/masking.ts';
import type { RecordKey } from '#records/media-record.ts';
import { cleanText } from '#records/normalize/clean-text.ts';
import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import { countryOfRegions } from '#records/places/regions.ts';
import { nameKey } from '#text/fold.ts';
import { isList, quoteHeading, type RawRow, RefusedFile, type Sample } from '../row.ts';
import type { ColumnMap, ColumnTarget, Constants } from './column-map.ts';
import { areAtOneSite, isStateOfWork, withoutDoubted } from './doubt-columns.ts';
import {
  fieldOfPeople,
  filledValues,
  guessField,
  holdsEmail,
  isBareHost,
  isFeed,
  isWebAddress,
  most,
  partsOfNames,
} from './guess-field.ts';
import { mayOptOut } from './opted-out.ts';
import { requireMedia, withPeople } from './people-columns.ts';

type ProposedColumn = ReturnType<typeof proposeColumns>[number];

/** A longer text is hardly a name. */
const maxNameLength = 60;
/** Approximately how many rows are looked at. */
const maxRows = 200;
const maxSamples = 3;
const maxSampleLength = 40;

/** The values of readable rows, from all parts of those given: the first rows of a sorted list may be unlike the rest. */
export function sampleOf(headings: readonly string[], rows: readonly RawRow[]): Sample {
  const step = Math.max(1, Math.floor(rows.length / maxRows));
  const readable = rows.filter(({ fault }, index) => !fault && index % step === 0).map(({ cells }) => cells);
  const keys = readable.flatMap((cells) => (Array.isArray(cells) ? [] : Object.keys(cells)));
  const valuesOf = (name: string) => {
    const column = headings.indexOf(name);
    return readable.map((cells) => (Array.isArray(cells) ? cells[column] : (cells as Record<string, unknown>)[name]));
  };
  // JSON has lists, such as the languages of a medium.
  const textOf = (value: unknown) =>
    [value]
      .flat()
      .filter((part) => ['string', 'number', 'boolean'].includes(typeof part))
      .join('|')
      .trim();
  return new Map([...new Set([...headings, ...keys])].map((name) => [name, valuesOf(name).map(textOf)]));
}

/**
 * The map for the columns of one list: usual headings whose values are plainly something else fill nothing, and if the map
 * wants proposals, it has them. Throws RefusedFile if addresses would be lost, unless the map leaves columns out.
 */
export function settleColumns(askedMap: ColumnMap, sample: Sample): ColumnMap {
  requireMedia(askedMap, sample);
  const map = withSecondCountry(withPeople(askedMap, sample), sample);
  const settled = map.unknown === 'propose' ? withProposals(map, sample) : withoutDoubted(map, sample);
  if (map.unknown !== 'leave') checkLostAddresses(map, settled, sample);
  return settled;
}

/** The map where of two columns of countries, such as `country_code` and `country`, the second counts where the first is empty. */
function withSecondCountry(map: ColumnMap, sample: Sample): ColumnMap {
  const fillers = [...sample.keys()].filter((heading) => map.fieldOf(heading) === 'country');
  const [, second] = fillers;
  const isFree = second !== undefined && !map.names(second);
  const hasName = [...sample.keys()].some((heading) => map.fieldOf(heading) === 'country_name');
  return isFree && !hasName ? map.with({ [second]: 'country_name' }) : map;
}

function withProposals(map: ColumnMap, sample: Sample): ColumnMap {
  const proposed = proposeColumns(map, sample).filter(({ heading }) => !map.names(heading));
  const columns = Object.fromEntries(proposed.map(({ heading, field }) => [heading, field]));
  return map.with(columns, map.unknown, proposeConstants(proposed, sample));
}

/** @throws RefusedFile if columns without a field hold email addresses, or URLs while no column fills `url` */
function checkLostAddresses(map: ColumnMap, settled: ColumnMap, sample: Sample): void {
  const lost = findLost(map, settled, sample);
  if (lost.headings.length === 0) return;
  const where = `${lost.kind} addresses in ${lost.headings.map(quoteHeading).join(', ')}, which would be left out`;
  throw new RefusedFile('lost_addresses', `has ${where}. ${adviseOnLost(lost, map, sample)}`);
}

type Lost = ReturnType<typeof findLost>;

/** The columns without a field that hold addresses. A proposal is only asked for a column of emails. */
function findLost(map: ColumnMap, settled: ColumnMap, sample: Sample) {
  const isAuto = map.unknown === 'propose';
  const filledFields = new Set([...sample.keys()].flatMap((heading) => settled.fieldsOf(heading)));
  const unused = [...sample].filter(([heading]) => !map.names(heading) && settled.fieldOf(heading) === null);
  const holding = (isLike: (cell: string) => boolean) =>
    unused.filter(([, values]) => most(filledValues(values), isLike)).map(([heading]) => heading);
  // A `Contact` with forms and handles among addresses.
  const amongOthers = unused
    .filter(([heading, values]) => map.fieldOf(heading) === 'contact_name' && values.some(holdsEmail))
    .map(([heading]) => heading);
  const emails = isAuto && filledFields.has('email') ? [] : [...new Set([...holding(holdsEmail), ...amongOthers])];
  if (emails.length > 0) return { kind: 'email', headings: emails } as const;
  return { kind: 'web', headings: isAuto || filledFields.has('url') ? [] : holding(isWebAddress) } as const;
}

/** How to import these columns, or to leave them out. */
function adviseOnLost({ kind, headings }: Lost, map: ColumnMap, sample: Sample): string {
  const isAuto = map.unknown === 'propose';
  const proposed = isAuto ? [] : proposeColumns(map, sample).filter(({ field }) => field !== null);
  const isProposed = proposed.some(({ heading }) => headings.includes(heading));
  const advice = isProposed ? 'Take what is proposed with --columns auto,' : 'No field is proposed for them:';
  // What is proposed for other columns is imported without these.
  const isRest = !isAuto && !isProposed && (kind === 'web' || proposed.some(({ field }) => field === 'email'));
  const quoted = headings.map((heading) => quoteHeading(heading));
  const ignored = quoted.map((heading) => `--ignore ${heading === quoteHeading('') ? '""' : heading}`);
  return `${advice} say it with --columns FILE, or leave them out with ${isRest ? '--columns auto' : ignored.join(' ')}`;
}

/** Different regions that it takes to tell the country. */
const enoughRegions = 3;

/** The country of a list that does not name it, if its regions are of one country: most lists of one country are like that. */
export function proposeConstants(columns: readonly ProposedColumn[], sample: Sample): Constants {
  const columnsOf = (field: RecordKey) => columns.filter((column) => [column.field].flat().includes(field));
  if (columnsOf('country').length + columnsOf('country_name').length > 0) return {};
  const regions = new Set(columnsOf('region').flatMap(({ heading }) => filledValues(sample.get(heading) ?? [])));
  const country = regions.size < enoughRegions ? null : countryOfRegions([...regions]);
  return country === null ? {} : { country };
}

/**
 * What each column seems to fill, with some of its values, addresses masked. Columns with values are settled first, from left to
 * right, see fieldFor.
 */
export function proposeColumns(askedMap: ColumnMap, sample: Sample) {
  const map = withSecondCountry(withPeople(askedMap, sample), sample);
  const list = surveyList(map, sample);
  const columns = [...sample].map(([heading, values]) => {
    const cells = filledValues(values);
    const samples = [...new Set(cells)].slice(0, maxSamples).map(showSample);
    return { heading, cells, samples, field: null as ColumnTarget };
  });
  for (const column of columns.toSorted((a, b) => Number(a.cells.length === 0) - Number(b.cells.length === 0))) {
    column.field = fieldFor(column.heading, column.cells, list);
    list.filledFields.add(column.field);
  }
  // Without a column of people, further addresses are nobody else's.
  if (list.filledFields.has('email') && !list.takenFields.has('contact_name')) {
    const isFurther = (column: (typeof columns)[number]) => column.field === null && !map.names(column.heading);
    for (const column of columns.filter(isFurther)) if (most(column.cells, holdsEmail)) column.field = 'other_email';
  }
  if (list.filledFields.has('name') || list.filledFields.has('id')) return columns;
  // An unknown column may have the names, or else media are called by their hosts. One alone has no heading, or is text.
  const mayName = ({ heading, field, cells }: (typeof columns)[number]) =>
    columns.length > 1 && field === null && !map.names(heading) && seemNames(cells);
  const names = columns.find(mayName);
  const hosts = columns.find(({ field, cells }) => field === 'url' && most(cells, isBareHost));
  if (names !== undefined) names.field = 'name';
  else if (hosts !== undefined) hosts.field = ['url', 'name'];
  return columns;
}

/** Whether values may be names of media, whatever the heading: short texts that differ, neither handles nor people. */
function seemNames(cells: readonly string[]): boolean {
  const isElse = (cell: string) =>
    cell.length > maxNameLength ||
    /^@|^[a-z\d_-]+$|@[^@.]*\./.test(cell) ||
    !/\p{L}{2}/u.test(cell) ||
    isWebAddress(cell) ||
    isNamedPerson(cell);
  return new Set(cells).size >= Math.max(5, cells.length * 0.9) && !most(cells, isElse);
}

type List = ReturnType<typeof surveyList>;

/** What the columns of a list say about each other. */
function surveyList(map: ColumnMap, sample: Sample) {
  const headings = [...sample.keys()];
  const trusted = withoutDoubted(map, sample);
  const valuesOf = (heading: string) => filledValues(sample.get(heading) ?? []);
  const usedHeadings = headings.filter((heading) => map.names(heading) || valuesOf(heading).length > 0);
  /** Fields that are not guessed for a further column. An empty `Title` does not keep a `Company` from being the name. */
  const takenFields = new Set<ColumnKey | null>(usedHeadings.map((heading) => trusted.fieldOf(heading)));
  const hasContact = takenFields.has('contact_name');
  const nameParts = hasContact ? new Set<string>() : partsOfNames(sample);
  /** `Name` and `Title`, which may be of a medium or of a person. */
  const vague = headings.filter((heading) => !map.names(heading) && ['name', 'title'].includes(nameKey(heading)));
  const plainHeadings = headings.filter((heading) => !vague.includes(heading));
  /** Whether a column names the media more plainly, such as `Outlet`. */
  const hasOutlet = plainHeadings.some((heading) => trusted.fieldOf(heading) === 'name');
  // With a mostly filled `Homepage`, a column `url` may have the feeds.
  const pages = usedHeadings.filter((heading) => trusted.fieldOf(heading) === 'url');
  const homePage =
    pages.find((heading) => nameKey(heading) !== 'url' && most(sample.get(heading) ?? [], Boolean)) ?? pages[0];
  return { map, trusted, takenFields, filledFields: new Set<ColumnTarget>(), nameParts, vague, hasOutlet, homePage };
}

/** The field of a column, by the first rule that applies: known ones come before guesses. */
function fieldFor(heading: string, cells: readonly string[], list: List): ColumnTarget {
  const { map, trusted, takenFields } = list;
  if (map.names(heading)) return map.fieldOf(heading);
  const field = trusted.fieldOf(heading);
  // The pages of a directory, beside those of the media.
  if (field === null && map.fieldOf(heading) === 'url' && areAtOneSite(cells)) return null;
  if (field === null && isStateOfWork(heading, cells)) return null;
  // `url` may be the feed, also without a `homepage`.
  if (field === 'url' && !takenFields.has('feed_url') && most(cells, isFeed)) {
    takenFields.add('feed_url');
    return 'feed_url';
  }
  if (field === 'url' && cells.length > 0 && heading !== list.homePage) return null;
  // `Title` beside `Publication` is no name.
  if (field === 'name' && list.hasOutlet && list.vague.includes(heading)) return null;
  // `Homepage` after `Website` fills nothing, but both `Topic` and `Beat` may fill categories.
  if (field !== null && !list.filledFields.has(field)) return field;
  if (field !== null) return isList(field) ? field : null;
  const guess = guessOne(heading, cells, list);
  for (const field of [guess].flat()) takenFields.add(field);
  return guess;
}

/** `First Name` is a part of the contact's name, `Title` may be the contact's; for others see guessField. */
function guessOne(heading: string, cells: readonly string[], { map, takenFields, nameParts }: List): ColumnTarget {
  if (nameParts.has(heading)) return 'contact_name';
  const ofPeople = fieldOfPeople(map.fieldOf(heading), cells, { hasOtherName: true });
  return ofPeople !== null && !takenFields.has(ofPeople) ? ofPeople : guessField(heading, cells, takenFields);
}

/** What a list seems to be, as a column file to be edited. */
export function formatColumnFile(columns: readonly ProposedColumn[], constants: Constants): string {
  // A column file that names a column of those who want no mail lets them in.
  const mapped = columns.filter(({ heading, field }) => field !== null || !mayOptOut(heading));
  const lines = mapped.map(({ heading, field, samples }) => {
    const target = Array.isArray(field) ? ` [${field.join(', ')}]` : field === null ? '' : ` ${field}`;
    const name = /^\p{L}{2}[\p{L}\p{N}_ -]*$/u.test(heading) ? heading : JSON.stringify(heading);
    return `  ${name}:${target}${samples.length === 0 ? '' : ` # ${samples.join(' · ')}`}`;
  });
  const constantLines = Object.entries(constants).map(([field, value]) => `  ${field}: ${value}`);
  return ['columns:', ...lines, ...(constantLines.length === 0 ? [] : ['constants:', ...constantLines]), ''].join('\n');
}

function showSample(value: string): string {
  const email = normalizeEmail(value);
  return 'email' in email ? maskEmail(email.email) : cleanText(value, maxSampleLength);
}

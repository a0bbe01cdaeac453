import { isNamedPerson } from '#outbound/people.ts';
import { fields, isKnown, plainFields } from '#records/fields.ts';
import { maskEmail } from '#records/masking.ts';
import type { RecordKey } from '#records/media-record.ts';
import { cleanText } from '#records/normalize/clean-text.ts';
import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import { findCountry } from '#records/places/countries.ts';
import { countryOfRegions } from '#records/places/regions.ts';
import { foldedWords, nameKey } from '#text/fold.ts';
import type { ColumnMap, ColumnTarget, Constants } from './column-map.ts';
import headingWords from './heading-words.json' with { type: 'json' };
import { listFields, partOfNameIn, quoteHeading, type RawRow, RefusedFile } from './row.ts';

/** The values of some rows by heading, in the order of the headings; empty where a row has none. */
export type Sample = ReadonlyMap<string, readonly string[]>;

/** A heading of a list, what it seems to fill, and some of its values with addresses masked. */
interface ProposedColumn {
  heading: string;
  field: ColumnTarget;
  samples: string[];
}

/** How many rows are looked at, about. */
const maxRows = 200;
/** Values that must be unreadable before a column of a usual heading counts as something else. */
const enoughToDoubt = 5;
const maxSamples = 3;
const maxSampleLength = 40;

const beside = new Set(headingWords.beside.split(' '));
const flags = new Set(headingWords.flags.split(' '));
const jobs = new Set(headingWords.jobs.split(' '));
const wordsOfFields = Object.entries(headingWords.fields).map(
  ([field, words]) => [field as RecordKey, new Set(words.split(' '))] as const,
);
/** Fields that take any text, so the text must not plainly be something else. */
const texts: ReadonlySet<RecordKey> = new Set(['name', 'region', 'city', ...plainFields.map(({ key }) => key)]);
/** Fields whose values have a form, or fill every row: `Medium` is German for the name. An unreadable address is still one. */
const formed = /url|date|integer|kind|frequency|coverage/;
const forms: ReadonlySet<RecordKey> = new Set(
  fields.filter(({ type, key }) => formed.test(`${type} ${key}`)).map(({ key }) => key),
);
/** Fields of few words, of which half may be unknown. */
const vocabularies: ReadonlySet<RecordKey> = new Set(
  fields
    .filter((field) => 'vocabulary' in field || field.key === 'country' || field.key === 'language')
    .map(({ key }) => key),
);

/** The values of rows that can be read, spread over those given: a sorted list begins with what is unlike the rest. */
export function sampleOf(headings: readonly string[], rows: readonly RawRow[]): Sample {
  const step = Math.max(1, Math.floor(rows.length / maxRows));
  const readable = rows.filter(({ fault }, place) => !fault && place % step === 0);
  const objects = readable.map(
    ({ cells }): Record<string, unknown> =>
      Array.isArray(cells)
        ? Object.fromEntries(headings.map((heading, at) => [heading, cells[at]] as const).reverse())
        : { ...(cells as object) },
  );
  const names = new Set([...headings, ...objects.flatMap(Object.keys)]);
  const textOf = (value: unknown) =>
    ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
  return new Map([...names].map((name) => [name, objects.map((object) => textOf(object[name]))]));
}

/**
 * Usual headings whose values are plainly something else fill nothing; the map says what becomes of columns without a
 * field. Throws RefusedFile if those hold addresses, unless the map leaves them out.
 */
export function settleColumns(map: ColumnMap, sample: Sample): ColumnMap {
  const isAuto = map.unknown === 'propose';
  const settled = isAuto ? withProposals(map, sample) : withoutDoubted(map, sample);
  if (!isAuto && map.unknown !== 'refuse') return settled;
  const filledFields = new Set([...sample.keys()].flatMap((heading) => settled.fieldsOf(heading)));
  const lost = [...sample].filter(
    ([heading]) => heading !== '' && !map.names(heading) && settled.fieldOf(heading) === null,
  );
  const holding = (isLike: (cell: string) => boolean) =>
    lost.filter(([, values]) => most(filled(values), isLike)).map(([heading]) => quoteHeading(heading));
  const emails = isAuto && filledFields.has('email') ? [] : holding(holdsEmail);
  const found = emails.length > 0 || isAuto || filledFields.has('url') ? emails : holding(isWebAddress);
  if (found.length === 0) return settled;
  const where = `${emails.length > 0 ? 'email' : 'web'} addresses in ${found.join(', ')}, which would be left out`;
  const ways = `say it with --columns FILE, or leave them out with --ignore ${found[0]}`;
  const proposed = isAuto ? [] : proposeColumns(map, sample).filter(({ field }) => field !== null);
  const isProposed = proposed.some(({ heading }) => found.includes(quoteHeading(heading)));
  const auto = isProposed ? 'Take what is proposed with --columns auto,' : 'No field is proposed for them:';
  throw new RefusedFile('lost_addresses', `has ${where}. ${auto} ${ways}`);
}

function withProposals(map: ColumnMap, sample: Sample): ColumnMap {
  const proposed = proposeColumns(map, sample).filter(({ heading }) => !map.names(heading));
  const columns = Object.fromEntries(proposed.map(({ heading, field }) => [heading, field]));
  return map.with(columns, map.unknown, proposeConstants(proposed, sample));
}

/** Distinct regions that say which country they are of. */
const enoughRegions = 3;

/** The country of a list that has regions of one country and does not name it, as most lists of one country do. */
export function proposeConstants(columns: readonly ProposedColumn[], sample: Sample): Constants {
  const headingsOf = (field: RecordKey) => columns.filter((column) => [column.field].flat().includes(field));
  if (headingsOf('country').length + headingsOf('country_name').length > 0) return {};
  const regions = new Set(headingsOf('region').flatMap(({ heading }) => filled(sample.get(heading) ?? [])));
  const country = regions.size < enoughRegions ? null : countryOfRegions([...regions]);
  return country === null ? {} : { country };
}

/** What each column seems to fill: as the map says, or else where both heading and values speak for a field. */
export function proposeColumns(map: ColumnMap, sample: Sample): ProposedColumn[] {
  const known = withoutDoubted(map, sample);
  const taken = new Set<RecordKey | null>([...sample.keys()].map((heading) => known.fieldOf(heading)));
  const given = new Set<ColumnTarget>();
  const parts = partsOfNames(sample);
  const hasContact = taken.has('contact_name');
  const isVague = (heading: string) => !map.names(heading) && ['name', 'title'].includes(nameKey(heading));
  const others = [...sample].filter(([heading]) => !isVague(heading));
  const hasOther = others.some(([heading]) => known.fieldOf(heading) === 'name');
  const isName = (heading: string, cells: readonly string[]) =>
    known.fieldOf(heading) === null && guess(heading, cells, new Set()) === 'name';
  const hasJobs = parts.size > 0 || taken.has('contact_title');
  const areMedia = hasOther || (hasJobs && others.some(([heading, values]) => isName(heading, filled(values))));
  // Then a Name of people is theirs.
  const ofPeople = [...sample].find(([heading, values]) => isVague(heading) && most(filled(values), isNamedPerson));
  const whole = areMedia && !hasContact ? ofPeople?.[0] : undefined;
  if (whole !== undefined) taken.add('contact_name');
  if (whole !== undefined && !hasOther) taken.delete('name');
  // Beside a homepage or link, `url` is the feed or the stream.
  const pages = [...sample.keys()].filter((heading) => known.fieldOf(heading) === 'url');
  const page = pages.find((one) => nameKey(one) !== 'url' && most(sample.get(one) ?? [], Boolean)) ?? pages[0];
  return [...sample].map(([heading, values]) => {
    const cells = filled(values);
    let field: ColumnTarget = known.fieldOf(heading);
    const isSecond = typeof field === 'string' && given.has(field) && !listFields.has(field);
    if (field === 'url' && heading !== page)
      field = !taken.has('feed_url') && most(cells, (cell) => /feed|rss|xml/i.test(cell)) ? 'feed_url' : null;
    else if (heading === whole) field = 'contact_name';
    else if (whole !== undefined && parts.has(heading)) field = null;
    else if (isSecond || (hasOther && field === 'name' && isVague(heading))) field = null;
    else if (field === null && !map.names(heading)) {
      const person = fieldOfPeople(map.fieldOf(heading), cells, true);
      if (parts.has(heading) && !hasContact) field = 'contact_name';
      else field = person !== null && !taken.has(person) ? person : guess(heading, cells, taken);
      for (const one of [field].flat()) taken.add(one);
    }
    given.add(field);
    return { heading, field, samples: [...new Set(cells)].slice(0, maxSamples).map(showSample) };
  });
}

/** Columns of first and last names: a bare Name beside one of them is the other. */
function partsOfNames(sample: Sample): ReadonlySet<string> {
  const headings = [...sample.keys()];
  const known = new Set(headings.map(partOfNameIn));
  const isWhole = known.has('first') === known.has('last');
  const isPart = (heading: string) =>
    partOfNameIn(heading) !== null || (!isWhole && ['name', 'nom', 'nome', 'nombre'].includes(nameKey(heading)));
  return new Set(headings.filter(isPart));
}

/** What a list seems to be, as a column file to be edited. */
export function formatColumnFile(columns: readonly ProposedColumn[], constants: Constants): string {
  const lines = columns.map(({ heading, field, samples }) => {
    const target = Array.isArray(field) ? ` [${field.join(', ')}]` : field === null ? '' : ` ${field}`;
    const name = /^\p{L}{2}[\p{L}\p{N}_ -]*$/u.test(heading) ? heading : JSON.stringify(heading);
    return `  ${name}:${target}${samples.length === 0 ? '' : ` # ${samples.join(' · ')}`}`;
  });
  const given = Object.entries(constants).map(([field, value]) => `  ${field}: ${value}`);
  return ['columns:', ...lines, ...(given.length === 0 ? [] : ['constants:', ...given]), ''].join('\n');
}

/** The map without usual headings whose values are plainly something else. */
function withoutDoubted(map: ColumnMap, sample: Sample): ColumnMap {
  const valuesOf = (field: RecordKey) => [...sample].find(([heading]) => map.fieldOf(heading) === field)?.[1];
  const [names, hasEmail] = [valuesOf('name') ?? [], valuesOf('email') !== undefined];
  const parts = partsOfNames(sample);
  const nameColumns = [...sample.keys()].filter((heading) => map.fieldOf(heading) === 'name').length;
  const doubted = [...sample].filter(([heading, values]) => {
    const field = map.names(heading) ? null : map.fieldOf(heading);
    if (field === 'id' && standForSeveral(values, names)) return true;
    if (field !== null && contradicts(field, filled(values), hasEmail)) return true;
    return (field === 'name' && parts.has(heading)) || fieldOfPeople(field, filled(values), nameColumns > 1) !== null;
  });
  return map.with(Object.fromEntries(doubted.map(([heading]) => [heading, null])));
}

/** Whether ids are not ids: more than one in twenty rows has an id that came with another name. */
function standForSeveral(ids: readonly string[], names: readonly string[]): boolean {
  const first = new Map<string, string>();
  const differs = ids.filter((id, row) => {
    const name = nameKey(names[row] ?? '');
    if (id !== '' && !first.has(id)) first.set(id, name);
    return id !== '' && name !== '' && first.get(id) !== name;
  });
  return differs.length >= 5 && differs.length > ids.length / 20;
}

function filled(values: readonly string[]): string[] {
  return values.filter((value) => value !== '');
}

function contradicts(field: RecordKey, cells: readonly string[], hasEmail: boolean): boolean {
  if (areFlags(cells)) return true;
  if (forms.has(field))
    return cells.length >= enoughToDoubt && cells.every((cell) => readAs(field, cell) === undefined);
  if (!texts.has(field)) return false;
  if (areHosts(field, cells)) return true;
  return most(cells, isWebAddress) || most(cells, hasEmail ? (cell) => 'email' in normalizeEmail(cell) : holdsEmail);
}

/** The field of columns such as Name and Title beside an Outlet, or Owner, that name people and their jobs; else null. */
function fieldOfPeople(usual: RecordKey | null, cells: readonly string[], isBeside: boolean): RecordKey | null {
  const isJob = (cell: string) => foldedWords(cell).some((word) => jobs.has(word));
  if (usual === 'name' && most(cells, isJob)) return 'contact_title';
  return (usual === 'tags' || (usual === 'name' && isBeside)) && most(cells, isNamedPerson) ? 'contact_name' : null;
}

/** The place of the headings among the first rows: above them may be titles, notes, and cells over several columns. */
export function placeOfHeadings(rows: readonly (readonly string[])[], map: ColumnMap): number {
  const isHeading = (text: string) => map.fieldOf(text) !== null || candidatesFor(text).length > 0;
  const counts = rows.map((cells) => [filled(cells).length, cells.filter(isHeading).length] as const);
  return counts.reduce((best, [count, named], place) => {
    const isWider = count > (counts[0]?.[0] ?? 0) && named * 2 >= count;
    return isWider && named > Math.max(1, counts[best]?.[1] ?? 0) ? place : best;
  }, 0);
}

function candidatesFor(heading: string): RecordKey[] {
  const words = nameKey(heading).split(' ');
  return wordsOfFields
    .filter(([, own]) => words.some((word) => own.has(word)))
    .filter(([, own]) => words.every((word) => own.has(word) || beside.has(word)))
    .map(([field]) => field);
}

function guess(heading: string, cells: readonly string[], taken: ReadonlySet<RecordKey | null>): ColumnTarget {
  // Programs write feedUrl, countryLabel and category1.
  const spellings = [heading, heading.replace(/(?<=\p{Ll})(?=[\p{Lu}\d])/gu, ' ')];
  const candidates = spellings.map(candidatesFor).find(({ length }) => length > 0) ?? [];
  const found = candidates.find((field) => (!taken.has(field) || listFields.has(field)) && fits(field, cells, taken));
  if (found !== undefined) return found;
  // A name beside its address.
  const isBoth = candidates.includes('contact_name') && most(cells, holdsEmail);
  return isBoth && !taken.has('contact_name') && !taken.has('email') ? ['contact_name', 'email'] : null;
}

function fits(field: RecordKey, cells: readonly string[], taken: ReadonlySet<RecordKey | null>): boolean {
  if (cells.length === 0 || areFlags(cells) || areHosts(field, cells)) return false;
  const addresses = texts.has(field) ? cells.filter((cell) => holdsEmail(cell) || isWebAddress(cell)).length : 0;
  if (addresses > cells.length / 10) return false;
  if (field === 'tags' && most(cells, isNamedPerson)) return false;
  if (field === 'country' && most(cells, (cell) => cell.includes(','))) return false;
  if ((field === 'city' || field === 'region') && most(cells, (cell) => cell.length > 3 && findCountry(cell) !== null))
    return false;
  // A medium has several people.
  const enough = taken.has('contact_name') ? 2 : cells.length / 2;
  if (field === 'name' && (new Set(cells).size <= enough || !cells.some((cell) => /\p{L}{2}/u.test(cell))))
    return false;
  const read = cells.filter((cell) => isKnown(readAs(field, cell) ?? null)).length;
  return read >= cells.length * (vocabularies.has(field) ? 0.5 : 0.8);
}

/** What an import makes of a value of a field; undefined for what it skips. */
function readAs(field: RecordKey, value: string): unknown {
  // A type may be a kind: podcast.
  const isType = field === 'type';
  const result = normalizeRecord({ id: '1', ...(!isType && { kind: 'outlet' }), name: 'A', [field]: value });
  if ('rejection' in result) return undefined;
  return result.patch[field] ?? (isType ? result.patch.kind : result.patch[field]);
}

/** A host of a podcast is a person, or where its feed lies. */
function areHosts(field: RecordKey, cells: readonly string[]): boolean {
  return field === 'contact_name' && most(cells, (cell) => /^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(cell));
}

/** Answers and states, which no field holds. Norway alone is "no". */
function areFlags(cells: readonly string[]): boolean {
  const are = cells.filter((cell) => flags.has(nameKey(cell)));
  return are.length >= cells.length * 0.8 && are.some((cell) => nameKey(cell) !== 'no');
}

function most(cells: readonly string[], isLike: (cell: string) => boolean): boolean {
  return cells.filter(isLike).length > cells.length / 2;
}

function holdsEmail(cell: string): boolean {
  return /[^\s@<>]@[^\s@<>]+\.[a-z]{2}/i.test(cell);
}

function isWebAddress(cell: string): boolean {
  return /^(?:https?:\/\/|www\.)\S/i.test(cell);
}

function showSample(value: string): string {
  const email = normalizeEmail(value);
  return 'email' in email ? maskEmail(email.email) : cleanText(value, maxSampleLength);
}

import { languages, wordsOfLanguage, wordsOfUse } from '#languages/words.ts';
import type { ColumnKey } from '#records/contacts/contact-columns.ts';
import { isNamedPerson, namesDesk } from '#records/contacts/people.ts';
import { fields, isKnown, plainFields } from '#records/fields.ts';
import type { RecordKey } from '#records/media-record.ts';
import { isLikelyPlaceholder, isPlaceholder } from '#records/normalize/clean-text.ts';
import { valueIn } from '#records/normalize/normalize-contact.ts';
import { normalizeEmail, withoutEmails } from '#records/normalize/normalize-email.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import { findCountry } from '#records/places/countries.ts';
import { findLanguage } from '#records/places/languages.ts';
import { foldedWords, nameKey } from '#text/fold.ts';
import { findHost } from '#text/hosts.ts';
import { memoize } from '#text/memoize.ts';
import { firstOfRepeated, listFields, partOfNameIn } from '../row.ts';
import type { ColumnTarget } from './column-map.ts';

type Taken = ReadonlySet<ColumnKey | null>;

/** A column of a usual heading counts as something else if it has so many values and none of them can be read. */
const enoughToDoubt = 5;

const headingWords = (words: readonly string[]): ReadonlySet<string> => new Set(words.map(nameKey));
const wordsBeside = headingWords(wordsOfUse('heading.beside'));
const flags = headingWords(wordsOfUse('heading.flag'));
/** Longer texts are rather headlines. */
const maxJobLength = 40;
const jobs = headingWords(wordsOfUse('heading.job'));

/** Whether a text has a word of a job: `Senior Editor`. */
export function saysJob(text: string): boolean {
  return foldedWords(text.replaceAll('_', ' ')).some((word) => jobs.has(word));
}

/** Fields that a heading may name by some of its words, the likeliest first. */
const namedFields =
  'email linkedin_url feed_url url kind type country language region city phone categories coverage frequency audience contact_name description name tags contact_title aliases'.split(
    ' ',
  ) as RecordKey[];
const wordsOfFields = namedFields.map((field) => [field, headingWords(wordsOfUse(`heading.field.${field}`))] as const);

/** Fields that accept any text, so their values must not look like addresses. */
const texts: ReadonlySet<string> = new Set(['name', 'region', 'city', ...plainFields.map(({ key }) => key)]);
const isText = (field: RecordKey) => texts.has(field) || listFields.has(field);
/** Fields whose values are easy to tell from others: a `Medium` that has no kinds is German for the name. */
const strictFields = fieldsThat(({ type, key }) => {
  return ['url', 'date', 'integer'].includes(type) || ['kind', 'frequency', 'coverage'].includes(key);
});
/** Fields with a list of known values. Half of a column's values may be unknown. */
const vocabularies = fieldsThat((field) => 'vocabulary' in field || ['country', 'language'].includes(field.key));

function fieldsThat(isOne: (field: (typeof fields)[number]) => boolean): ReadonlySet<RecordKey> {
  return new Set(fields.filter(isOne).map(({ key }) => key));
}

/** The field that both the heading and the values of a column suggest; two for names with addresses; null for none. */
export function guessField(heading: string, cells: readonly string[], takenFields: Taken): ColumnTarget {
  // Programs write feedUrl, countryLabel and category1.
  const spellings = [heading, heading.replace(/(?<=\p{Ll})(?=[\p{Lu}\d])/gu, ' ')];
  const candidates: RecordKey[] =
    isNameInLanguage(heading) && !takenFields.has('contact_name') && areNames(cells, false)
      ? ['name', 'aliases']
      : (spellings.map(fieldsInHeading).find(({ length }) => length > 0) ?? []);
  const saysWays = candidates.includes('contact_name') || candidates.includes('email');
  if (saysWays && cells.some(holdsEmail) && areWays(cells)) return guessWay(cells, takenFields);
  // `Contact` with values such as `Jane Doe <jane@example.org>`, maybe among bare addresses.
  const mayBeBoth = candidates.includes('contact_name') && most(cells, holdsEmail);
  const namesSome = cells.filter(namesBesideEmail).length > cells.length / 20;
  if (mayBeBoth && namesSome && !takenFields.has('contact_name') && !takenFields.has('email'))
    return ['contact_name', 'email'];
  const mayRepeat = takenFields.has('contact_name') || spellings.some(isPlainlyName);
  const guess = candidates.find(
    (field) => (!takenFields.has(field) || listFields.has(field)) && fits(field, cells, mayRepeat),
  );
  if (guess !== undefined) return guess;
  // `Contact type` with values such as `Publisher`.
  const isJob = (cell: string) => cell.length <= maxJobLength && saysJob(cell);
  const mayBeJob = takenFields.has('contact_name') && !takenFields.has('contact_title');
  return mayBeJob && most(cells, isJob) ? 'contact_title' : null;
}

/** Addresses among other ways, of which a phone may stand beside one or in its place. */
function guessWay(cells: readonly string[], takenFields: Taken): ColumnTarget {
  if (takenFields.has('email')) return null;
  const arePlain = fits('email', cells, false) && !cells.some((cell) => isPhone(withoutEmails(cell)));
  return arePlain || takenFields.has('phone') ? 'email' : ['email', 'phone'];
}

/** Whether a column says how to reach somebody, not whom: `X @jane`, `form on x.example`, `news@x.example — 0590 25 18 88`. */
export function areWays(cells: readonly string[]): boolean {
  const besideEmails = cells.map((cell) =>
    cell
      .split(/\s+/)
      .filter((word) => !holdsEmail(word))
      .join(' '),
  );
  const texts = besideEmails.filter((text) => /\p{L}{2}/u.test(text));
  return texts.length > 0 ? most(texts, isWay) : besideEmails.some(isPhone);
}

/** A handle, a host, a label with a colon, a remark in brackets, or words as in a sentence. */
function isWay(text: string): boolean {
  const words = text.split(/\s+/);
  const isPlain =
    /(?:^|[\s(])@|:(?:\s|$)/.test(text) || words.some((word) => findHost(word.replace(/^[<(]+/, '')) !== null);
  const isSentence = words.length > 2 && words.some((word) => /^\p{Ll}{4,}$/u.test(word));
  const isRemark = (isSentence || text.startsWith('(')) && !namesDesk(text) && !saysJob(text);
  const unlabelled = text.replace(/^[^:@]{1,40}:\s/, '').replace(/[\d+().-]/g, '');
  return (isPlain || isRemark) && !isNamedPerson(unlabelled);
}

function isPhone(text: string): boolean {
  return (text.match(/\p{Nd}/gu)?.length ?? 0) >= 7;
}

function namesBesideEmail(cell: string): boolean {
  return holdsEmail(cell) && /\p{L}{2}/u.test(withoutEmails(cell));
}

/** The fields that a heading may name: it has a word of the field, and no words but those and common ones, as in `main website`. */
export function fieldsInHeading(heading: string): RecordKey[] {
  const words = nameKey(firstOfRepeated(heading)).split(' ');
  return wordsOfFields
    .filter(([, fieldWords]) => words.some((word) => fieldWords.has(word)))
    .filter(([, fieldWords]) => words.every((word) => fieldWords.has(word) || wordsBeside.has(word)))
    .map(([field]) => field);
}

/** `name_en` beside `name_ar`: of the names of a medium, the first is its name. */
function isNameInLanguage(heading: string): boolean {
  const words = nameKey(heading).split(' ');
  const [language, ...otherWords] = words.filter((word) => word !== 'name');
  return words.length === 2 && otherWords.length === 0 && language !== undefined && findLanguage(language) !== null;
}

const wordsElsewhere = memoize((field): ReadonlySet<string> => {
  const otherLanguages = languages.filter((language) => language !== 'en').map(wordsOfLanguage);
  return headingWords(otherLanguages.flatMap((words) => words.get(`heading.field.${field}`) ?? []));
});

/** Whether a heading says a field with a word of another language than English: `E-Mail-Adresse`. */
export function saysInOtherLanguage(heading: string, field: RecordKey): boolean {
  const words = nameKey(firstOfRepeated(heading)).split(' ');
  return fieldsInHeading(heading).includes(field) && words.some((word) => wordsElsewhere(field).has(word));
}

/** Two words say it more plainly than one: `Nom station`. */
function isPlainlyName(heading: string): boolean {
  const nameWords = wordsOfFields.find(([field]) => field === 'name')?.[1];
  return (
    nameKey(heading)
      .split(' ')
      .filter((word) => nameWords?.has(word)).length > 1
  );
}

/** Values that can be read as a field, but mean something else if most of a column are like them. */
const mistaken: Partial<Record<RecordKey, (cell: string) => boolean>> = {
  contact_name: (cell) => isHost(cell) || isWithoutLetters(cell),
  contact_title: isWithoutLetters,
  // The dial of a radio: 98.1.
  phone: (cell) => cell.replace(/\D/g, '').length < 6,
  tags: isNamedPerson,
  country: (cell) => cell.includes(','),
  city: isCountry,
  region: isCountry,
};

/** Whether the values of a column are what a field holds. */
function fits(field: RecordKey, cells: readonly string[], mayRepeat: boolean): boolean {
  if (cells.length === 0 || areFlags(cells) || most(cells, mistaken[field] ?? (() => false))) return false;
  const addresses = cells.filter((cell) => holdsEmail(cell) || isWebAddress(cell)).length;
  if (isText(field) && addresses > cells.length / 10) return false;
  if (field === 'name' && !areNames(cells, mayRepeat)) return false;
  if (field === 'contact_name' && areWays(cells)) return false;
  const readableCount = cells.filter((cell) => isRead(field, cell)).length;
  return readableCount >= cells.length * (vocabularies.has(field) ? 0.5 : 0.8);
}

/** Names differ from row to row. They may repeat if a medium has a row for each of its people, or frequencies. */
function areNames(cells: readonly string[], mayRepeat: boolean): boolean {
  const enough = Math.min(cells.length / 2, mayRepeat ? 2 : Infinity);
  return new Set(cells).size > enough && cells.some((cell) => /\p{L}{2}/u.test(cell));
}

/** Whether the values under a usual heading are plainly something else. `hasEmail`: whether the list has a column of emails. */
export function contradicts(field: RecordKey, cells: readonly string[], { hasEmail }: { hasEmail: boolean }): boolean {
  if (areFlags(cells)) return true;
  // `Type` may be local or national.
  if (field === 'type')
    return most(cells, (cell) => isRead('coverage', cell)) && !cells.some((cell) => isRead('type', cell));
  if (strictFields.has(field))
    return cells.length >= enoughToDoubt && cells.every((cell) => readAs(field, cell) === undefined);
  if (!isText(field)) return false;
  if (field === 'contact_name' && (most(cells, isHost) || areWays(cells))) return true;
  return most(cells, isWebAddress) || most(cells, hasEmail ? (cell) => 'email' in normalizeEmail(cell) : holdsEmail);
}

/** The field of people that a column fills despite its usual heading: `Title` may have jobs, `Owner` and `Name` people. */
export function fieldOfPeople(
  usual: ColumnKey | null,
  cells: readonly string[],
  { hasOtherName }: { hasOtherName: boolean },
): RecordKey | null {
  if (usual === 'name' && most(cells, saysJob)) return 'contact_title';
  const mayBePeople = usual === 'tags' || (usual === 'name' && hasOtherName);
  return mayBePeople && most(cells, isNamedPerson) ? 'contact_name' : null;
}

/** Headings of names that, beside first names, may hold the last ones: `Name`, but no `Title`. */
const namesOfPeople = headingWords(wordsOfUse('heading.vague').filter((word) => word !== 'title'));

/** The columns of first and last names, which have no digits or flags. With only one of them, a `Name` is the other. */
export function partsOfNames(sample: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const hasText = (values: readonly string[]) =>
    !areFlags(filledValues(values)) && !most(filledValues(values), (cell) => /\d/.test(cell));
  const headings = [...sample].filter(([, values]) => hasText(values)).map(([heading]) => heading);
  const parts = new Set(headings.map(partOfNameIn));
  const lacksOne = parts.has('first') !== parts.has('last');
  const isPart = (heading: string) =>
    partOfNameIn(heading) !== null || (lacksOne && namesOfPeople.has(nameKey(heading)));
  return new Set(headings.filter(isPart));
}

function isRead(field: RecordKey, value: string): boolean {
  return isKnown(readAs(field, value) ?? null);
}

/** What an import makes of a value of a field; undefined if it skips the value. */
function readAs(field: RecordKey, value: string): unknown {
  // A type may also be a kind, such as podcast.
  const isType = field === 'type';
  const result = normalizeRecord({ id: '1', ...(!isType && { kind: 'outlet' }), name: 'A', [field]: value });
  if ('rejection' in result) return undefined;
  return valueIn(result.patch, field) ?? (isType ? result.patch.kind : valueIn(result.patch, field));
}

/** The values that say something: `N/A` is none, nor is `4.94E+11`, of which a spreadsheet has dropped the digits. */
export function filledValues(values: readonly string[]): string[] {
  const isLost = (value: string) => /^\d[.,]\d{1,14}E\+\d\d$/i.test(value);
  return values.filter(
    (value) => value !== '' && !isPlaceholder(value) && !isLikelyPlaceholder(value) && !isLost(value),
  );
}

export function most(cells: readonly string[], isLike: (cell: string) => boolean): boolean {
  return cells.filter(isLike).length > cells.length / 2;
}

export function holdsEmail(cell: string): boolean {
  return /[^\s@<>]@[^\s@<>]+\.[a-z]{2}/i.test(cell);
}

export function isWebAddress(cell: string): boolean {
  return /^(?:https?:\/\/|www\.)\S/i.test(cell);
}

/** `https://feeds.example.org/show`, `https://x.example/rss.xml` */
export function isFeed(cell: string): boolean {
  return /feed|rss|xml/i.test(cell);
}

/** A host without a path: `10news.example`, `https://www.x.example/`. */
export function isBareHost(cell: string): boolean {
  return /^(?:https?:\/\/)?[^/\s.]+(?:\.[^/\s.]+)+\/?$/i.test(cell);
}

/** The host of a podcast may be a person, or the host of its feed: `feeds.example.org`. */
function isHost(cell: string): boolean {
  return /^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(cell);
}

function isWithoutLetters(cell: string): boolean {
  return !/\p{L}/u.test(cell);
}

/** Three letters or fewer may be a code of a region, too. */
function isCountry(cell: string): boolean {
  return cell.length > 3 && findCountry(cell) !== null;
}

/** Answers and states, such as `yes` or `active`, which no field holds. `no` alone is Norway. */
function areFlags(cells: readonly string[]): boolean {
  const flagCells = cells.filter((cell) => flags.has(nameKey(cell)));
  return flagCells.length >= cells.length * 0.8 && flagCells.some((cell) => nameKey(cell) !== 'no');
}

import { emptyContact } from '#records/contacts/contact.ts';
import { listEmails } from '#records/normalize/normalize-email.ts';
import { findField } from '#records/normalize/source-words.ts';
import { nameKey } from '#text/fold.ts';
import { isObject } from '#text/json.ts';
import { headingKey, namesPeople } from '../columns/people-headings.ts';
import { partOfNameIn, type RawRow, type RowFault } from '../row.ts';

type JsonRow = Record<string, unknown>;

const notAnObject: RowFault = { code: 'not_an_object', reason: 'it is not a JSON object, such as {"name": "…"}' };

/** The rows of a JSON value: one, or one for each person of a medium that lists its people with their addresses. */
export function rowsOf(line: number, value: unknown, text: string): RawRow[] {
  if (!isObject(value)) return [{ line, cells: text || JSON.stringify(value), fault: notAnObject }];
  const row = rowOfContact(value) ?? unwrapRow(value);
  return rowsOfPeople(row).map((personRow) => ({
    line,
    cells: Object.values(personRow).some(hasParts) ? withParts(personRow) : personRow,
  }));
}

/** The row in what APIs put around it: the `attributes` of JSON:API, the `fields` of Airtable. Beside other keys, these are no wrapping. */
function unwrapRow(row: JsonRow): JsonRow {
  const wrapping = ['attributes', 'fields'].find((key) => isObject(row[key]));
  if (wrapping === undefined) return row;
  const { [wrapping]: inside, ...around } = row;
  return Object.keys(around).every((key) => keysOfApis.has(key)) ? { ...around, ...(inside as JsonRow) } : row;
}

/** What both say of a row beside it. */
const keysOfApis: ReadonlySet<string> = new Set(['id', 'type', 'links', 'relationships', 'meta', 'createdTime']);

/**
 * `{"editors":[{"name":"Ann","email":…},…]}` has a row with a `contact` for each of them, unless it has another `contact`.
 * `contacts` are read as a whole.
 */
function rowsOfPeople(row: JsonRow): JsonRow[] {
  const lists = Object.entries(row).filter(([key, value]) => key !== 'contacts' && arePeople(key, value));
  if (lists.length === 0) return [row];
  const isOfMedium = ([key, value]: [string, unknown]) =>
    !lists.some(([list]) => list === key) && !isOfNobody(key, value);
  const ofMedium = Object.fromEntries(Object.entries(row).filter(isOfMedium));
  return lists.flatMap(([list, people]) => {
    const key = 'contact' in row ? list : 'contact';
    return (people as JsonRow[]).map((person) => ({ ...ofMedium, [key]: withWholeName(person) }));
  });
}

/** A person whose first and last name are one. */
function withWholeName(person: JsonRow): JsonRow {
  const [first, last] = ['first', 'last'].map((part) => Object.keys(person).find((key) => partOfNameIn(key) === part));
  if (first === undefined || last === undefined) return person;
  const { [first]: givenName, [last]: familyName, ...otherValues } = person;
  return { name: [givenName, familyName].filter(Boolean).join(' '), ...otherValues };
}

/** Whether a medium has nobody in a list, such as `staff`: that is no name beside those of others. */
function isOfNobody(key: string, value: unknown): boolean {
  return Array.isArray(value) && value.length === 0 && [null, 'contact_name'].includes(findField(key));
}

/** Whether a value is a list of objects, some with an email address or, under a key such as `hosts`, all with a name. */
function arePeople(key: string, value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) return false;
  const hasAddress = (person: JsonRow) =>
    Object.values(person).some((part) => typeof part === 'string' && listEmails(part).length > 0);
  const hasName = (person: JsonRow) =>
    Object.keys(person).some((part) => nameKey(part) === 'name' || partOfNameIn(part) !== null);
  const isOfPeople = namesPeople(headingKey(key)) || groups.has(nameKey(key));
  return value.some(hasAddress) || (isOfPeople && value.every(hasName));
}

const groups: ReadonlySet<string> = new Set(['people', 'team', 'crew', 'newsroom']);

/** A line of our ndjson with a row for each contact, `{"contact","record"}`, under the headings that csv has; null for another row. */
function rowOfContact({ contact, record, ...otherValues }: JsonRow): JsonRow | null {
  if (
    !isObject(contact) ||
    !isObject(record) ||
    !('id' in record) ||
    !keysOfContact.isSupersetOf(new Set(Object.keys(contact)))
  )
    return null;
  const { id, kind: _, name, title, ...values } = contact;
  return { ...record, contact_id: id, contact_name: name, contact_title: title, ...values, ...otherValues };
}

const keysOfContact: ReadonlySet<string> = new Set(Object.keys(emptyContact('')));

/**
 * The row with the parts of its objects as values: `{"contact":{"email":…}}` has `contact.email`. What has a name also stands
 * for it.
 */
function withParts(row: JsonRow): JsonRow {
  const entries = Object.entries(row).flatMap(([key, value]): [string, unknown][] => {
    if (!hasParts(value)) return [[key, value]];
    const parts = Object.entries(value).filter(([part]) => part !== 'name');
    const named = parts.map(([part, partValue]): [string, unknown] => [`${key}.${part}`, partValue]);
    return 'name' in value ? [[key, value], ...named] : named;
  });
  return Object.fromEntries(entries);
}

/** `{"0":"News"}` is a list. */
function hasParts(value: unknown): value is JsonRow {
  return isObject(value) && !Object.keys(value).every((key) => /^\d+$/.test(key));
}

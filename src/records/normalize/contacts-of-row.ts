import { nameKey, trimEnd } from '#text/fold.ts';
import type { ContactPatch } from '../contacts/contact.ts';
import { contactColumns, mayBeFurther, placeOfColumn } from '../contacts/contact-columns.ts';
import type { FlatContactKey } from '../media-record.ts';
import type { CellReader, SourceRecord } from './cell-reader.ts';
import { contactKeyOf, readContact } from './normalize-contact.ts';
import { listEmails, withoutEmails } from './normalize-email.ts';

/** What a row may say of contacts. */
const keysOfContacts = [
  ...(Object.keys(contactKeyOf) as FlatContactKey[]),
  ...contactColumns.map(({ key }) => key),
  'linkedin_url',
] as const;

/**
 * What a row with columns says about contacts, as one patch for each person and address: a row may name several people, or one
 * with several addresses. An address that has the name of one of them is hers alone. Empty if it has no column of a contact.
 */
export function readContactsOfRow(cells: CellReader, source: SourceRecord): ContactPatch[] {
  const people = peopleOfRow(source);
  if (people.length > 1 && people.some(({ contact_name: name }) => name === undefined))
    cells.note('email', 'of_nobody');
  return people.flatMap((person) => readContactsOfPerson(cells, person));
}

/**
 * What a row says of each of its people: itself, unless further columns, such as `email_2`, are about others. Then nobody is somebody
 * with a title alone, because that may come from a heading; and an address without a person is hers whose name it has.
 */
export function peopleOfRow(source: SourceRecord): readonly SourceRecord[] {
  if (!Object.keys(source).some(mayBeFurther)) return [source];
  const people = Map.groupBy(Object.entries(source), ([column]) => placeOfColumn(column).place)
    .values()
    .map(
      (ofOne): SourceRecord => Object.fromEntries(ofOne.map(([column, cell]) => [placeOfColumn(column).field, cell])),
    )
    .filter(isSomebody)
    .toArray();
  const owner = people.findIndex(({ contact_name: name }) => name === undefined);
  return owner < 0 ? people : withOwner(people, owner);
}

function isSomebody({ contact_name, email, other_email, phone, other_phone }: SourceRecord): boolean {
  return [contact_name, email, other_email, phone, other_phone].some(Boolean);
}

/** The people, of whom the only one that an address without a person names, and who has none, has it. */
function withOwner(people: readonly SourceRecord[], nobody: number): readonly SourceRecord[] {
  const { email, phone, ...rest } = people[nobody] ?? {};
  const [address, ...furtherAddresses] = emailsIn(email);
  const isOwner = ({ contact_name: name, email: own }: SourceRecord) =>
    Boolean(name && !own && address) && isNamedIn(String(address), String(name));
  if (furtherAddresses.length > 0 || people.filter(isOwner).length !== 1) return people;
  return people.flatMap((person, place) => {
    if (place === nobody) return [{ ...rest, phone }].filter(isSomebody);
    return isOwner(person) ? [{ ...person, email }] : [person];
  });
}

function readContactsOfPerson(cells: CellReader, source: SourceRecord): ContactPatch[] {
  if (!keysOfContacts.some((key) => source[key] !== undefined)) return [];
  const { contact_name: names } = source;
  if (!Array.isArray(names) || names.length < 2) return withFurtherAddresses(cells, source);
  const emails = emailsIn(source.email);
  const named = emails.length === 1 ? names.filter((name) => isNamedIn(String(emails[0]), String(name))) : [];
  const { email: _, email_status, email_source, last_verified_at, ...withoutAddress } = source;
  return names.flatMap((contact_name, index) => {
    if (named.length === 1 && named[0] !== contact_name)
      return readContact(cells, { ...withoutAddress, contact_name }) ?? [];
    // As many addresses as people are one for each.
    const email = emails.length === names.length ? emails[index] : source.email;
    return withFurtherAddresses(cells, { ...source, contact_name, ...(source.email !== undefined && { email }) });
  });
}

/** Whether a local part has a word of a name: `ann@`, `bmiller@`, `miller.b@`. */
function isNamedIn(email: string, name: string): boolean {
  const words = nameKey(name)
    .split(' ')
    .filter((word) => word.length > 2);
  const parts = nameKey(email.slice(0, email.lastIndexOf('@'))).split(' ');
  return words.some((word) => parts.some((part) => part.startsWith(word) || part.endsWith(word)));
}

function withFurtherAddresses(cells: CellReader, row: SourceRecord): ContactPatch[] {
  const source = withPhoneOfName(row);
  const emails = emailsIn(source.email);
  const patch = readContact(cells, emails.length === 0 ? source : { ...source, email: emails[0] });
  if (patch === undefined) return [];
  // `Jane Doe jane@example.org` as a name
  const otherEmails = [...emailsIn(source.other_email), ...emailsIn(source.contact_name)];
  const furtherEmails = [...emails.slice(1), ...otherEmails].filter((email) => email !== patch.email);
  if (!patch.email) {
    const [email, ...rest] = furtherEmails;
    return email === undefined ? [patch] : atAddresses({ ...patch, email }, rest);
  }
  return atAddresses(patch, furtherEmails);
}

/** `Jane Doe, 206-940-3741` as a name, maybe with addresses: the number is her phone, if she has no other. */
function withPhoneOfName(source: SourceRecord): SourceRecord {
  const { contact_name: cell, other_email: others, phone } = source;
  if (typeof cell !== 'string' || phone) return source;
  const text = trimEnd(withoutEmails(cell), betweenValues);
  const beforeNumber = trimEnd(text, charactersOfPhones);
  const number = text.slice(beforeNumber.length).replace(/^[^+(\d]+/, '');
  if (!/\d$/.test(number) || beginsWithYear.test(number) || number.replaceAll(/\D/g, '').length < minDigitsOfPhone)
    return source;
  const name = trimEnd(text.slice(0, -number.length), betweenValues);
  return { ...source, contact_name: name, phone: number, other_email: [others ?? [], cell].flat() };
}

const charactersOfPhones = '0123456789 ().+-';
/** Fewer may be a year or a house number. */
const minDigitsOfPhone = 7;
/** `2024-05-01`, `1985-2024` */
const beginsWithYear = /^(?:19|20)\d\d-(?:\d\d-\d\d|\d{4})$/;
const betweenValues = ' \t,;:|/–-';

/** A person with further addresses: a contact for each. What is known of the first address is not known of others. */
function atAddresses(patch: ContactPatch, further: readonly string[]): ContactPatch[] {
  const { id: _, email_status, email_source, last_verified_at, ...values } = patch;
  return [patch, ...[...new Set(further)].map((email) => ({ ...values, email }))];
}

function emailsIn(value: unknown): string[] {
  const texts = [value].flat().filter((text) => typeof text === 'string');
  return [...new Set(texts.flatMap(listEmails))];
}

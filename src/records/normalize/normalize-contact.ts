import { z } from 'zod';
import { nameKey, trimEnd } from '#text/fold.ts';
import type { ContactPatch, ContactsPatch, KeptContact } from '../contacts/contact.ts';
import { beatLimit, contactLimit, linkLimit } from '../contacts/contact.ts';
import { contactColumns, mayBeFurther, placeOfColumn } from '../contacts/contact-columns.ts';
import { isPersonsProfile } from '../fields.ts';
import type { FlatContactKey, MediaRecord, RecordPatch } from '../media-record.ts';
import { CellReader, type Read, type SourceRecord } from './cell-reader.ts';
import { joinTags } from './clean-text.ts';
import type { ImportNote } from './import-note.ts';
import { listEmails } from './normalize-email.ts';
import { urlKey } from './normalize-url.ts';
import { handleColumns, profileLink } from './profile-links.ts';
import * as sourceWords from './source-words.ts';

/** The key of a contact that a flat key shows. */
export const contactKeyOf = {
  contact_name: 'name',
  contact_title: 'title',
  email: 'email',
  email_status: 'email_status',
  email_source: 'email_source',
  last_verified_at: 'last_verified_at',
  phone: 'phone',
} as const satisfies Record<FlatContactKey, keyof ContactPatch>;

/** What a row may say of contacts. */
const keysOfContacts = [
  ...(Object.keys(contactKeyOf) as FlatContactKey[]),
  ...contactColumns.map(({ key }) => key),
  'linkedin_url',
] as const;

export function isFlatKey(key: string): key is FlatContactKey {
  return key in contactKeyOf;
}

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
    if (place === nobody) return phone ? [{ ...rest, phone }] : [];
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
  const text = trimEnd(cell.replaceAll(/\S+@\S+/g, ' '), betweenValues);
  const [number] = /\+?\(?\d[\d ().-]{5,}\d$/.exec(text) ?? [];
  if (number === undefined || number.replaceAll(/\D/g, '').length < 7) return source;
  const name = trimEnd(text.slice(0, -number.length), betweenValues);
  return { ...source, contact_name: name, phone: number, other_email: [others ?? [], cell].flat() };
}

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

/** What a row with columns says about its contact; undefined if it has no column of one. */
function readContact(row: CellReader, source: SourceRecord): ContactPatch | undefined {
  const cells = row.of(source);
  const values = {
    name: cells.text('contact_name'),
    title: cells.text('contact_title'),
    ...readEmail(cells, source),
    phone: readPhone(cells, source),
    beats: source.beats === undefined ? undefined : readTexts(cells, textsIn(source.beats)).slice(0, beatLimit),
  };
  const patch = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as ContactPatch;
  const contact: ContactPatch = { ...patch, ...linksOf(cells, source), ...idOf(source) };
  return Object.keys(contact).length === 0 ? undefined : contact;
}

/** Our id of the contact counts beside our id of the record. */
function idOf({ id, contact_id: contactId }: SourceRecord): Pick<ContactPatch, 'id'> {
  return id && typeof contactId === 'string' && contactIdForm.test(contactId) ? { id: contactId } : {};
}

/** The profiles of a contact. A column with all of them replaces those that are stored; others add theirs. */
function linksOf(cells: CellReader, source: SourceRecord): Pick<ContactPatch, 'links' | 'addsLinks'> {
  const profiles = handleColumns.flatMap((column) => {
    const cell = source[column];
    return typeof cell === 'string' ? (profileLink(column, cell) ?? []) : [];
  });
  // Where the list has such profiles in a column of their own, or is our export of contacts, this one is the medium's.
  const isOfMedium = source.linkedin_handle !== undefined || source.contact_id !== undefined;
  const page = !isOfMedium && source.contact_name !== undefined ? linkedInProfile(cells, source) : null;
  const links = readLinks([...textsIn(source.links), ...profiles, ...(page === null ? [] : [page])]).slice(
    0,
    linkLimit,
  );
  if (source.links !== undefined) return { links };
  return links.length === 0 ? {} : { links, addsLinks: true };
}

function linkedInProfile(cells: CellReader, { linkedin_url: cell, contact_name: name }: SourceRecord): string | null {
  // A handle beside no name may be that of the medium.
  if (typeof cell !== 'string' || cell.trim() === '' || !(name || cell.includes('.'))) return null;
  const page = cell.includes('.') ? cells.url('linkedin_url') : profileLink('linkedin_handle', cell);
  return page && isPersonsProfile(page) ? page : null;
}

/** Details about an address are useless if the address is unreadable. */
function readEmail(cells: CellReader, source: SourceRecord) {
  const email = cells.email();
  if (email === undefined && source.email !== undefined) return {};
  return {
    email,
    email_status: cells.word('email_status', sourceWords.findEmailStatus),
    email_source: cells.url('email_source'),
    last_verified_at: cells.date('last_verified_at'),
  };
}

/** The phone of a contact, or else another one. Skips numbers that a spreadsheet turned into 4.42E+11, and repairs 721937528.0. Letters are allowed: 1-800-NEWS. */
function readPhone(cells: CellReader, source: SourceRecord): Read<string> {
  const [other] = textsIn(source.other_phone);
  const text = cells.text('phone') || (other ? cells.of({ phone: other }).text('phone') : cells.text('phone'));
  if (!text) return text === undefined && source.other_phone !== undefined ? null : text;
  const phone = text.replace(/^(\d{5,})\.0$/, '$1');
  const digits = phone.match(/\p{Nd}/gu)?.length ?? 0;
  return digits < 3 || /^\d(?:[.,]\d+)?e\+?\d+$/i.test(phone) ? cells.note('phone', 'unreadable') : phone;
}

/** The form of ids of contacts. */
const contactIdForm = /^[\w-]{1,100}$/;

const text = z.string().nullish();
/** A contact in JSON, as answers and MongoDB have it. Its kind follows from the rest, so it is not read. */
const contactInJson = z.object({
  id: z.string().regex(contactIdForm).nullish(),
  name: text,
  title: text,
  beats: z.array(z.string()).nullish(),
  email: text,
  email_status: text,
  email_source: text,
  last_verified_at: text,
  phone: text,
  links: z.array(z.string()).nullish(),
});
const contactsInJson = z.array(contactInJson).max(contactLimit);
/** What only stores keep of a contact. */
const keptWithContact = z.array(
  z.object({
    sources: z.record(z.string(), z.string().nullable()).optional(),
    isPreferred: z.literal(true).optional(),
  }),
);

/** The contacts of a row in JSON; or why they cannot be read, without quoting them. */
export function readContacts(
  source: SourceRecord,
): { contacts: ContactsPatch; notes: readonly ImportNote[] } | { fault: string } {
  const parsed = contactsInJson.safeParse(source.contacts);
  if (!parsed.success) return { fault: faultOfContacts(parsed.error) };
  const count = Number(source.contact_count ?? 0);
  if (count > parsed.data.length) {
    return {
      fault: `contacts has ${parsed.data.length} contacts, and contact_count says ${count}; use a row with all of them, such as GET /records/{id} gives it, or leave contact_count out with --ignore if it counts something else`,
    };
  }
  const notes = new Set<ImportNote>();
  const patches = parsed.data.map((contact): ContactPatch => {
    const { id, beats, links } = contact;
    const cells = new CellReader(flatSourceOf(contact));
    const patch = readContact(cells, flatSourceOf(contact)) ?? {};
    for (const note of cells.notes) notes.add(note);
    return {
      ...patch,
      ...(id && { id }),
      beats: readTexts(cells, beats ?? []).slice(0, beatLimit),
      links: readLinks(links ?? []).slice(0, linkLimit),
    };
  });
  return { contacts: { patches, areAll: true }, notes: [...notes] };
}

function flatSourceOf(contact: z.output<typeof contactInJson>): SourceRecord {
  const source: Record<string, unknown> = {};
  for (const [flat, key] of Object.entries(contactKeyOf)) source[flat] = contact[key] ?? null;
  return source;
}

function readTexts(cells: CellReader, texts: readonly string[]): string[] {
  return joinTags(texts.map((text) => cells.cleanItem('tags', text)).filter((text) => text !== ''));
}

/** The items of a cell, or of several: texts between `|` or line ends. */
function textsIn(value: unknown): string[] {
  const texts = [value].flat().filter((text) => typeof text === 'string');
  return texts.flatMap((text) => text.split(/[|\n\r]/)).flatMap((text) => text.trim() || []);
}

function readLinks(links: readonly string[]): string[] {
  const linkUrls = links
    .flatMap((cell) => cell.split(/[\s,;](?=https?:)/))
    .map((link) => trimEnd(link, ' \t,;'))
    .map((link) => new CellReader({ linkedin_url: link }).url('linkedin_url'))
    .filter((link) => typeof link === 'string')
    .map((link) => link.replace(/^http:/, 'https:'));
  return [...new Map(linkUrls.map((link) => [urlKey(link), link])).values()];
}

/** Where the fault is and what is right, without a value. */
function faultOfContacts({ issues: [issue] }: z.ZodError): string {
  const [index, key] = issue?.path ?? [];
  if (typeof index !== 'number') return `contacts is not a list of at most ${contactLimit} contacts`;
  const right = `use {"name","title","email",…} as answers have it`;
  return typeof key === 'string' && key in contactInJson.shape
    ? `${key} of contact ${index + 1} is not valid; ${right}`
    : `contact ${index + 1} is not an object; ${right}`;
}

/** What a store keeps of contacts that it wrote itself, in the same order: also what no import may say. */
export function withKeptValues(contacts: readonly KeptContact[], stored: unknown): KeptContact[] {
  const parsed = keptWithContact.safeParse(stored);
  if (!parsed.success) return [...contacts];
  return contacts.map((contact, index) => {
    const { sources, isPreferred } = parsed.data[index] ?? {};
    return { ...contact, ...(sources && { sources }), ...(isPreferred && { isPreferred }) };
  });
}

/** What a patch says of a field; of a flat key, what it says of its first contact. Undefined if it says nothing. */
export function valueIn(patch: RecordPatch, key: keyof MediaRecord): unknown {
  if (!isFlatKey(key)) return patch[key as keyof RecordPatch];
  const { contacts } = patch;
  return contacts !== undefined && 'patches' in contacts ? contacts.patches[0]?.[contactKeyOf[key]] : undefined;
}

import { trimEnd } from '#text/fold.ts';
import { beatLimit, type ContactPatch, linkLimit } from '../contacts/contact.ts';
import { isPersonsProfile } from '../fields.ts';
import type { FlatContactKey, MediaRecord, RecordPatch } from '../media-record.ts';
import { CellReader, type Read, type SourceRecord } from './cell-reader.ts';
import { joinTags } from './clean-text.ts';
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

export function isFlatKey(key: string): key is FlatContactKey {
  return key in contactKeyOf;
}

/** What a row with columns says about its contact; undefined if it has no column of one. */
export function readContact(row: CellReader, source: SourceRecord): ContactPatch | undefined {
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
  const isText = digits < 7 && (phone.match(/\p{L}/gu)?.length ?? 0) > digits * 2;
  return digits < 3 || isText || /^\d(?:[.,]\d+)?e\+?\d+$/i.test(phone) ? cells.note('phone', 'unreadable') : phone;
}

/** The form of ids of contacts. */
export const contactIdForm = /^[\w-]{1,100}$/;

export function readTexts(cells: CellReader, texts: readonly string[]): string[] {
  return joinTags(texts.map((text) => cells.cleanItem('tags', text)).filter((text) => text !== ''));
}

/** The items of a cell, or of several: texts between `|` or line ends. */
function textsIn(value: unknown): string[] {
  const texts = [value].flat().filter((text) => typeof text === 'string');
  return texts.flatMap((text) => text.split(/[|\n\r]/)).flatMap((text) => text.trim() || []);
}

export function readLinks(links: readonly string[]): string[] {
  const linkUrls = links
    .flatMap((cell) => cell.split(/[\s,;](?=https?:)/))
    .map((link) => trimEnd(link, ' \t,;'))
    .map((link) => new CellReader({ linkedin_url: link }).url('linkedin_url'))
    .filter((link) => typeof link === 'string')
    .map((link) => link.replace(/^http:/, 'https:'));
  return [...new Map(linkUrls.map((link) => [urlKey(link), link])).values()];
}

/** What a patch says of a field; of a flat key, what it says of its first contact. Undefined if it says nothing. */
export function valueIn(patch: RecordPatch, key: keyof MediaRecord): unknown {
  if (!isFlatKey(key)) return patch[key as keyof RecordPatch];
  const { contacts } = patch;
  return contacts !== undefined && 'patches' in contacts ? contacts.patches[0]?.[contactKeyOf[key]] : undefined;
}

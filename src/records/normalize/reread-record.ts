import { holdsAddress } from '../addresses/scrub-addresses.ts';
import type { KeptContact } from '../contacts/contact.ts';
import { withContacts } from '../contacts/with-contacts.ts';
import type { FieldDefinition } from '../field-definition.ts';
import { fields } from '../fields.ts';
import type { MediaRecord } from '../media-record.ts';
import { mergeRecord } from '../merge-record.ts';
import { cleanText, textLimits } from './clean-text.ts';
import { normalizeUrl } from './normalize-url.ts';
import { normalizeId } from './normalize-values.ts';
import { partCity } from './read-place.ts';

type TextField = Exclude<keyof typeof textLimits, 'id'>;

const isText = (key: string): key is TextField => key !== 'id' && key in textLimits;
const ownFields = (fields as readonly FieldDefinition[]).filter(({ isDerived }) => !isDerived);
const texts = ownFields.flatMap(({ key }) => (isText(key) ? [key] : []));
const urls = ownFields.flatMap(({ key, type }) => (type === 'url' ? [key] : []));

/**
 * The record as this version would import it. An earlier version may have overlooked an address in it, or left the comma in
 * its city. Its dates stay.
 */
export function rereadRecord(record: MediaRecord): { record: MediaRecord } | { fault: string } {
  if ('fault' in normalizeId(record.id)) return { fault: 'its id is not valid' };
  const changes: Record<string, unknown> = {};
  for (const key of texts) {
    const stored = record[key];
    const limit = textLimits[key];
    const clean = Array.isArray(stored) ? cleanList(stored, limit) : stored && (cleanText(stored, limit) || null);
    if (JSON.stringify(clean) !== JSON.stringify(stored)) changes[key] = clean;
  }
  for (const key of urls) {
    const stored = record[key];
    if (typeof stored === 'string' && holdsAddress(stored)) changes[key] = rereadUrl(stored);
  }
  if (changes.name === null) return { fault: 'its name consists of email addresses only' };
  const contacts = record.contacts.map(rereadContact);
  const isSame = contacts.every((contact, index) => contact === record.contacts[index]);
  const reread: MediaRecord = { ...record, ...changes };
  return { record: withCityAlone(isSame ? reread : withContacts(reread, contacts)) };
}

/** The record without a region, country or punctuation in its city. */
function withCityAlone(record: MediaRecord): MediaRecord {
  if (record.city === null) return record;
  const { city, region, country } = partCity({ city: record.city, region: record.region, country: record.country });
  if (city === record.city) return record;
  const result = mergeRecord(record, { id: record.id, city, region, country }, new Date(record.updated_at));
  return 'record' in result ? { ...result.record, updated_at: record.updated_at } : record;
}

/** The contact as this version would import it; the same object if that is the same. */
function rereadContact(contact: KeptContact): KeptContact {
  const { name, title, phone, beats, links, email_source: source } = contact;
  const reread: KeptContact = {
    ...contact,
    name: name && (cleanText(name, textLimits.contact_name) || null),
    title: title && (cleanText(title, textLimits.contact_title) || null),
    beats: cleanList(beats, textLimits.tags),
    phone: phone && (cleanText(phone, textLimits.phone) || null),
    email_source: source && rereadUrl(source),
    links: links.flatMap((link) => rereadUrl(link) ?? []),
  };
  return JSON.stringify(reread) === JSON.stringify(contact) ? contact : reread;
}

function rereadUrl(url: string): string | null {
  if (!holdsAddress(url)) return url;
  const result = normalizeUrl(url);
  return 'url' in result ? result.url : null;
}

function cleanList(list: readonly string[], limit: number): string[] {
  return [...new Set(list.map((text) => cleanText(text, limit)).filter((text) => text !== ''))];
}

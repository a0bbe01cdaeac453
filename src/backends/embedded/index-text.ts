import type { Contact } from '#records/contacts/contact.ts';
import { filterValues } from '#records/field-values.ts';
import { mediumFilterFields } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { filteredContact } from '#search/contact-filters.ts';
import { contactText } from '#search/contact-text.ts';
import { addressTokens } from '#search/record-tokens.ts';
import { type SearchableText, searchableText } from '#search/searchable-text.ts';
import { foldedWords } from '#text/fold.ts';
import { memoize } from '#text/memoize.ts';

/** The columns of `search_text`, in order: what finds a record (see searchable-text.ts). */
export interface IndexText {
  /** One token for each name in each of its forms, for its page, its addresses, and each value to filter by. */
  exact: string;
  names: string;
  aliases: string;
  /** Hosts with their parent domains, and the labels people remember. */
  hosts: string;
  concepts: string;
  traits: string;
  description: string;
}

/** The columns of `contact_text`, in order: what finds a contact (see contact-text.ts). */
export interface ContactIndexText {
  /** Tokens of its name, its address, and its beats to filter by. */
  exact: string;
  people: string;
  title: string;
  concepts: string;
}

/** Separates two values of a column, so no phrase spans both. */
const gap = ' _ ';

export function indexText(record: MediaRecord, text: SearchableText = searchableText(record)): IndexText {
  return {
    exact: [...text.nameKeys(), ...text.pages(), ...addressTokens(record), ...filterTokens(record)].join(' '),
    names: text.names().join(gap),
    aliases: text.aliases().join(gap),
    hosts: [...new Set([...text.hosts().map(hostToken), ...text.hostLabels()])].join(' '),
    concepts: text.concepts().join(' '),
    traits: text.traits().join(gap),
    description: text.description(),
  };
}

export function contactIndexText(contact: Contact, language: string | null): ContactIndexText {
  const { exact, people, title, concepts } = contactText(contact, language);
  const beats = filteredContact(contact).beats.map((beat) => filterToken('beats', beat));
  return { exact: [...exact, ...beats].join(' '), people: people.join(gap), title, concepts: concepts.join(' ') };
}

/**
 * The token of a host. It begins with a dot, as no word does, so that `new` does not find `news.example`. A hyphen would end
 * it, and `the-times.example` would be found as `times.example`.
 */
export function hostToken(host: string): string {
  return `.${host.replaceAll('-', '__')}`;
}

export function hostOfToken(token: string): string {
  return token.slice(1).replaceAll('__', '-');
}

/** The token of a value by which a filter finds records. */
export function filterToken(field: string, value: string): string {
  const isOfWords = foldedWords(value).length > 0;
  return `_f${field}.${isOfWords ? value.replaceAll(/[ -]/g, '_') : Buffer.from(value).toString('hex')}`;
}

/** Memoized because many records share a value. */
const tokensOfFilters = mediumFilterFields.map((field) => ({
  field,
  tokenOf: memoize((value) => filterToken(field.key, value)),
}));

function filterTokens(record: MediaRecord): string[] {
  return tokensOfFilters.flatMap(({ field, tokenOf }) => filterValues(record, field).map(tokenOf));
}

import type { Contact } from '#records/contacts/contact.ts';
import { filterValues } from '#records/field-values.ts';
import { mediumFilterFields } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { filteredContact } from '#search/contact-filters.ts';
import { contactText } from '#search/indexed/contact-text.ts';
import { type SearchableText, searchableText } from '#search/indexed/searchable-text.ts';
import { distinct } from '#text/distinct.ts';
import { foldedWords } from '#text/fold.ts';
import { memoize } from '#text/memoize.ts';

/** Separates two values of a column, so no phrase spans both. */
const gap = ' _ ';
/** What the tokenizer of index-tables.sql keeps in no token. */
const splitting = /[^\w.\u0080-\u{10ffff}]/gu;

/** What finds a record (see searchable-text.ts): the tokens of `search_tokens`, then the columns of `search_text`, in order. */
export function indexText(record: MediaRecord, text: SearchableText = searchableText(record)) {
  return {
    /** One for each name in each of its forms, for its page, each value to filter by, and each concept. */
    tokens: [...text.nameKeys(), ...text.pages(), ...filterTokens(record), ...text.concepts()].join(' '),
    description: text.description(),
    names: text.names().join(gap),
    aliases: text.aliases().join(gap),
    /** Hosts with their parent domains, and the labels people remember. */
    hosts: distinct([...text.hosts().map(hostToken), ...text.hostLabels()]).join(' '),
    traits: text.traits().join(gap),
  };
}

/** What finds a contact (see contact-text.ts): the tokens of `contact_tokens`, then the columns of `contact_text`, in order. */
export function contactIndexText(contact: Contact, language: string | null) {
  const { exact, people, title, concepts } = contactText(contact, language);
  const listed = Object.entries(filteredContact(contact)).flatMap(([field, values]) =>
    Array.isArray(values) ? values.map((value) => filterToken(field, value)) : [],
  );
  const otherTexts = people.filter((text) => text !== title);
  // Tokens of its name, its address, its beats to filter by, and its concepts; then the name and the beats, with stems.
  return { tokens: [...exact, ...listed, ...concepts].join(' '), people: otherTexts.join(gap), title };
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

/** The token of a value by which a filter finds records. A character at which the full text would split it counts as `_`. */
export function filterToken(field: string, value: string): string {
  const isOfWords = foldedWords(value).length > 0;
  return `_f${field}.${isOfWords ? value.replaceAll(splitting, '_') : Buffer.from(value).toString('hex')}`;
}

/** Memoized because many records share a value. */
const tokensOfFilters = mediumFilterFields.map((field) => ({
  field,
  tokenOf: memoize((value) => filterToken(field.key, value)),
}));

function filterTokens(record: MediaRecord): string[] {
  return tokensOfFilters.flatMap(({ field, tokenOf }) => filterValues(record, field).map(tokenOf));
}

import { bestFirst, type Contact } from '#records/contacts/contact.ts';
import { shownContact } from '#records/contacts/with-contacts.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { foldedWords } from '#text/fold.ts';
import { perObject } from '#text/memoize.ts';
import { contactWith, phrase } from './conditions/conditions.ts';
import { conditionsMetByContact } from './conditions/meets-condition.ts';
import { namedPerson, partOfContact } from './conditions/people-conditions.ts';
import type { Understanding } from './search-query.ts';
import { readPartsOfPeople } from './words/read-parts.ts';

/** Contacts that are shown where a record is one of many. */
const fewContacts = 3;

/** What was asked of a record: a text, or the token of an address by a caller who sees addresses. */
interface Asked {
  text?: Understanding | null;
  address?: string | null;
}

/**
 * The contacts of a record that is one of many, at most three (contract A18): those that the text or the address means before the
 * others, and the best first.
 */
export function fewContactsOf(record: MediaRecord, question: Asked = {}): Contact[] {
  const best = bestFirst(record.contacts);
  const { surely, maybe } = best.length < 2 ? { surely: [], maybe: [] } : readAsked(question, record);
  const isAsked = surely.length + maybe.length > 0;
  const likeness = (contact: Contact): number => {
    const meets = conditionsMetByContact(record, contact);
    return surely.some(meets) ? maybe.length + 1 : maybe.filter(meets).length;
  };
  const byLikeness = Map.groupBy(best, (contact) => (isAsked ? likeness(contact) : 0));
  const likest = [...byLikeness.keys()].sort((a, b) => b - a);
  const ordered = likest.flatMap((count) => byLikeness.get(count) ?? []);
  return ordered.slice(0, fewContacts).map(shownContact);
}

/** What means a contact of a record, alone or the more of it the surer. Words of the medium's own names say nothing of its people. */
function readAsked({ text = null, address = null }: Asked, { name, aliases }: MediaRecord) {
  const tokens = [...(text?.addresses ?? []), ...(address === null ? [] : [address])];
  const owners = tokens.map((token) => contactWith({ is: 'address', token }));
  if (text === null) return { surely: owners, maybe: [] };
  const ofMedium = new Set([name, ...aliases].flatMap(foldedWords));
  const { surely, parts, phrases } = askedOf(text);
  const telling = parts.filter(({ words }) => !words.every((word) => ofMedium.has(word)));
  return { surely: [...owners, ...surely], maybe: [...telling.map(({ condition }) => condition), ...phrases] };
}

/** What a text asks of the contacts of any record. Memoized, because it is asked of each record of a page. */
const askedOf = perObject((text: Understanding) => ({
  surely: namedPerson(text),
  parts: readPartsOfPeople(text.typedWords).map((part) => {
    return { words: part.words, condition: contactWith(partOfContact(part, text, 1)) };
  }),
  phrases: text.phrases.map((run) => contactWith(phrase(run, 'people'))),
}));

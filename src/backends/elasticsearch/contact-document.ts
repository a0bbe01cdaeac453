import { bestFirst, isUsable } from '#records/contacts/contact.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { nameKey } from '#text/fold.ts';
import { documentDigest, type IndexDocument, recordsMapping } from './index-document.ts';

/*
 * Each contact also has a document of its own, in an index beside that of the records: a row of a search of contacts. Nothing of
 * it is stored. It finds the contact, and the record's document, which says who it is and masks the address.
 */

/** The index of contacts beside an index of records, or its alias beside theirs. */
export function contactsOf(index: string): string {
  return `${index}.contacts`;
}

const { settings, mappings } = recordsMapping;
const { record: _record, secret: _secret, find, contacts, order, ...filtered } = mappings.properties;
const {
  meaning: _meaning,
  vocabulary: _vocabulary,
  suppression_keys: _keys,
  words,
  names,
  ...ofMedium
} = find.properties;
const { index_prefixes: _prefixes, ...wholeWords } = words;
/**
 * The words of a medium stand here once for each of its contacts, and their beginnings took a third of the index. Of names, the
 * engine looks longer ones up among few words; in other words, only where names and traits find nothing.
 */
const findsMedium = {
  ...ofMedium,
  names: { ...names, index_prefixes: { min_chars: 1, max_chars: 2 } },
  words: wholeWords,
};
const { sort } = settings.index;

/** The settings and the mapping of an index of contacts. Their fields are those of records, so that conditions are the same. */
export const contactsMapping = {
  settings: {
    index: { ...settings.index, sort: { field: [...sort.field, 'order.rank'], order: [...sort.order, 'asc'] } },
  },
  mappings: {
    dynamic: 'strict',
    _source: { enabled: false },
    properties: {
      ...filtered,
      of: { type: 'keyword', index: false },
      find: { ...find, properties: findsMedium },
      contacts: { ...contacts, type: 'object' },
      order: {
        ...order,
        properties: {
          ...order.properties,
          contact: { type: 'keyword', index: false },
          contact_name: { type: 'keyword' },
          usable: { type: 'long', index: false },
          rank: { type: 'long', index: false },
        },
      },
    },
  },
};

/** The documents of the contacts of a record, by their ids: each contact with what finds its medium. @param document that of the record */
export function contactDocuments(record: MediaRecord, document: IndexDocument) {
  const { find, by, counted, within, order: ofRecord } = document;
  const { meaning: _, vocabulary: __, suppression_keys: ___, ...ofItsMedium } = find;
  // `of`: the digest of the record's document that it was made with. All in it follows from that.
  const medium = { of: documentDigest(document), find: ofItsMedium, by, counted, within };
  const ranks = new Map(bestFirst(record.contacts).map(({ id }, rank) => [id, rank]));
  return new Map(
    record.contacts.flatMap((contact, place) => {
      const indexed = document.contacts[place];
      if (indexed === undefined) return [];
      const ofContact = {
        contact: contact.id,
        contact_name: contact.name === null ? null : nameKey(contact.name),
        usable: isUsable(contact) ? 1 : 0,
        /** Its place among the contacts of the record, best first. */
        rank: ranks.get(contact.id) ?? 0,
      };
      return [[contact.id, { ...medium, contacts: indexed, order: { ...ofRecord, ...ofContact } }] as const];
    }),
  );
}

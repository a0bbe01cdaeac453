import { setImmediate as turn } from 'node:timers/promises';
import type { Client, estypes } from '@elastic/elasticsearch';
import { contactsOf } from './contact-document.ts';
import { IndexTerms, type Subject } from './index-terms.ts';
import { requireWhole } from './search-requests.ts';
import { bitOf, readVocabulary, type WordField } from './vocabulary.ts';

/** Names in a request, and between two turns of the event loop. */
const namesARequest = 10_000;
const namesATurn = 2_500;
/** Words with their fields in a request. */
const wordsARequest = 2_500;
/** A term takes about 100 bytes of memory. */
const maxTerms = 5_000_000;
/** The names of people among what finds a contact exactly, which also has tokens of addresses. */
const nameOfPerson = '_s';

/**
 * Reads the terms of an index from the engine's lists of them, in a small part of the time that all records take.
 *
 * @throws RangeError if they are too many
 */
export async function readTerms(client: Client, index: string): Promise<IndexTerms> {
  const terms = new IndexTerms();
  const ofMedia = { index, field: 'find.name_keys', size: namesARequest };
  for await (const tokens of listTerms(client, ofMedia)) await addNames(terms, tokens, 'media');
  const ofPeople = { index, field: 'contacts.exact', string: nameOfPerson, size: namesARequest };
  for await (const tokens of listTerms(client, ofPeople)) await addNames(terms, tokens, 'people');
  for await (const entries of listTerms(client, { index, field: 'find.vocabulary', size: wordsARequest })) {
    const words = readVocabulary(entries);
    const [media, people] = await Promise.all([
      countWords(client, index, 'find.words', words),
      countWords(client, contactsOf(index), 'contacts.people', words),
    ]);
    const counted = { media, people };
    terms.addWords(words, (word, subject) => counted[subject][word]?.doc_freq ?? 0);
    requireFew(terms);
  }
  return terms;
}

async function addNames(terms: IndexTerms, tokens: readonly string[], subject: Subject): Promise<void> {
  for (let from = 0; from < tokens.length; from += namesATurn) {
    await turn();
    terms.addNames(tokens.slice(from, from + namesATurn), subject);
  }
  requireFew(terms);
}

/** @throws RangeError if terms take too much memory */
export function requireFew({ count }: IndexTerms): void {
  if (count > maxTerms) throw new RangeError('too many terms');
}

/** The terms of a field, sorted. */
async function* listTerms(client: Client, request: estypes.TermsEnumRequest & { size: number }) {
  for (let last: string | undefined; ; ) {
    const from = last === undefined ? {} : { search_after: last };
    const { terms, complete, _shards } = await client.termsEnum({ ...request, ...from, timeout: '30s' });
    requireWhole({ timed_out: !complete, _shards });
    yield terms;
    if (terms.length < request.size) return;
    last = terms.at(-1);
  }
}

/** How many documents have each of these words in a field, as the engine says for a text that has all of them. */
async function countWords(client: Client, index: string, field: WordField, words: ReadonlyMap<string, number>) {
  const text = [...words].flatMap(([word, fields]) => ((fields & bitOf[field]) === 0 ? [] : word)).join(' ');
  const [group = '', name = ''] = field.split('.');
  const { term_vectors: counted } = await client.termvectors({
    index,
    doc: { [group]: { [name]: text } },
    fields: [field],
    term_statistics: true,
    field_statistics: false,
    offsets: false,
    positions: false,
    payloads: false,
    filter_path: 'term_vectors.*.terms.*.doc_freq',
  });
  return counted?.[field]?.terms ?? {};
}

import type { SearchableText } from '#search/indexed/searchable-text.ts';

/** The fields that have words, as bits. */
export const bitOf = {
  'find.names': 1,
  'find.host_labels': 2,
  'find.traits': 4,
  'find.words': 15,
  'contacts.people': 16,
};

export type WordField = keyof typeof bitOf;

/** A description is only in `find.words`, which has the fields before it, too. */
const bitOfDescription = 8;
/** The length at which the tokenizer of mappings/records.json splits a word, in characters. */
export const maxTokenLength = 255;
/** The code of the character that stands for no field. */
const noField = 64;

/**
 * Each word of a record or of its people once, with the fields that have it: `news C`. The engine lists these entries, as it does not
 * list the words of texts, so that nobody need read all records to know them.
 *
 * @param people the texts of its people, see contact-text.ts
 */
export function vocabularyOf(text: SearchableText, people: readonly string[]): string[] {
  const fields = new Map<string, number>();
  const add = (texts: readonly string[], bit: number) => {
    for (const word of texts.join(' ').split(' ')) fields.set(word, (fields.get(word) ?? 0) | bit);
  };
  add([...text.names(), ...text.aliases()], bitOf['find.names']);
  add(text.hostLabels(), bitOf['find.host_labels']);
  add(text.traits(), bitOf['find.traits']);
  add([text.description()], bitOfDescription);
  add(people, bitOf['contacts.people']);
  return [...fields]
    .filter(([word]) => word !== '' && word.length <= maxTokenLength)
    .map(([word, bits]) => `${word} ${String.fromCharCode(noField + bits)}`);
}

/** The words of such entries, with the bits of the fields that have them. */
export function readVocabulary(entries: readonly string[]): Map<string, number> {
  const fields = new Map<string, number>();
  for (const entry of entries) {
    const word = entry.slice(0, -2);
    fields.set(word, (fields.get(word) ?? 0) | (entry.charCodeAt(entry.length - 1) - noField));
  }
  return fields;
}

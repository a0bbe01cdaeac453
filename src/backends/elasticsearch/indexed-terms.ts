/** Elasticsearch's maximum term length in bytes. Longer terms are an error, in queries too. */
const maxTermBytes = 32_766;
/** The length at which the tokenizer of mappings/records.json splits a word, in characters. */
const maxTokenLength = 255;

/** The values that a document can hold: lone surrogates have no valid JSON form. */
export function indexedTerms(values: readonly string[]): string[] {
  return values.filter((value) => value.isWellFormed() && Buffer.byteLength(value) <= maxTermBytes);
}

/** A folded word as the index stores it. */
export function indexedWord(word: string): string {
  return word.length <= maxTokenLength ? word : word.slice(0, maxTokenLength).toWellFormed();
}

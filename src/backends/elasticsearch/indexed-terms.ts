/** Elasticsearch takes no longer term, in bytes, and says so with an error also where one is looked for. */
const longestTerm = 32_766;
/** Where the tokenizer of mappings/records.json cuts a word, in characters. */
const longestToken = 255;

/** Those of the values that a document can hold: lone surrogates have no form in JSON that the engine takes. */
export function indexedTerms(values: readonly string[]): string[] {
  return values.filter((value) => value.isWellFormed() && Buffer.byteLength(value) <= longestTerm);
}

/** A folded word as it is in the index. */
export function indexedWord(word: string): string {
  return word.length <= longestToken ? word : word.slice(0, longestToken).toWellFormed();
}

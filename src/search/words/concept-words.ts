import { foldedWords, partElisions, withoutElisions } from '#text/fold.ts';
import { withoutArabicArticle } from '#text/spellings.ts';

/** The most words that a name of a place has. */
export const maxWordsOfName = 5;

/** The concepts that words stand for. */
export interface SearchWords extends NamedConcepts {
  /** The names that only languages other than the main ones have. */
  foreign: ReadonlySet<string>;
}

export interface NamedConcepts {
  byWord: ConceptWords;
  /** By the beginning of a word whose ending changes. */
  byStem: ConceptWords;
  /** By what begins words that say the same: `entomolog`. */
  byBeginning: ConceptWords;
  /** By the codes of regions that addresses have. */
  byCode: ConceptWords;
}

/** Concepts, each under a folded word or several with spaces. */
export class ConceptWords {
  readonly #concepts = new Map<string, string[]>();

  /** Adds a name, as texts have it and without its elisions: `Côte d'Ivoire` is typed as one word more or less. */
  add(concept: string, name: string): void {
    for (const form of new Set([name, withoutElisions(name), partElisions(name)])) this.#addForm(concept, form);
  }

  #addForm(concept: string, name: string): void {
    const words = foldedWords(name);
    if (words.length === 0 || words.length > maxWordsOfName) return;
    const key = words.length === 1 ? withoutArabicArticle(words[0] ?? '') : words.join(' ');
    const concepts = this.#concepts.get(key);
    if (concepts === undefined) this.#concepts.set(key, [concept]);
    else if (!concepts.includes(concept)) concepts.push(concept);
  }

  /** The concepts of a folded word, or of several with spaces; undefined if it stands for nothing. */
  get(key: string): readonly string[] | undefined {
    return this.#concepts.get(key);
  }

  has(key: string): boolean {
    return this.#concepts.has(key);
  }

  keys(): Iterable<string> {
    return this.#concepts.keys();
  }

  [Symbol.iterator](): Iterator<[string, readonly string[]]> {
    return this.#concepts[Symbol.iterator]();
  }
}

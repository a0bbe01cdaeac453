import { LRUCache } from 'lru-cache';
import type { MediaRecord } from '#records/media-record.ts';
import type { Condition } from '#search/conditions.ts';
import { nameTokensOf, textsOfPerson } from '#search/contact-text.ts';
import { mistypedForm, nameToken, sharedBeginning } from '#search/name-forms.ts';
import { searchableText } from '#search/searchable-text.ts';
import { maxCorrections } from '#search/typo-tolerance.ts';
import { countEdits, letterBits, mayBeWithin } from '#text/edit-distance.ts';
import { atMost, cached } from '#text/memoize.ts';

/** The fields that have words, as bits. */
const bitOf = { 'find.names': 1, 'find.host_labels': 2, 'find.traits': 4, 'find.words': 15, 'contacts.people': 16 };

export type WordField = keyof typeof bitOf;

/** A word with more endings is looked for by its beginning. */
const maxBegun = 50;
/** How many mistyped words and names have their answers kept. */
const maxAnswers = 10_000;

interface Term {
  text: string;
  /** The fields that have it. */
  fields: number;
  /** How many records have it, or contacts: about, since a record that changes counts again. */
  times: number;
}

type WordCondition = Extract<Condition, { is: 'word' }>;
type NameCondition = Extract<Condition, { is: 'name' }>;

/** The names that an index has, the words of media and those of their people. */
export class IndexTerms {
  readonly #tokens = new SeenTexts();
  readonly #names = new TermsByBeginning();
  readonly #words = new TermsByBeginning();
  readonly #wordsOfPeople = new TermsByBeginning();

  get count(): number {
    return this.#names.count + this.#words.count + this.#wordsOfPeople.count;
  }

  add(record: MediaRecord): void {
    const { nameKeys, names, aliases, hostLabels, traits, description } = searchableText(record);
    for (const token of nameKeys()) {
      this.#tokens.add(`media ${token}`);
      const form = mistypedForm(token);
      if (form !== undefined) this.#names.add(token, 0, sharedBeginning(form));
    }
    const fields = new Map<string, number>();
    const addTo = (field: WordField, texts: readonly string[]) => {
      for (const word of texts.join(' ').split(' ')) fields.set(word, (fields.get(word) ?? 0) | bitOf[field]);
    };
    addTo('find.names', [...names(), ...aliases()]);
    addTo('find.host_labels', hostLabels());
    addTo('find.traits', traits());
    for (const word of description().split(' ')) fields.set(word, (fields.get(word) ?? 0) | 8);
    for (const [word, bits] of fields) this.#words.add(word, bits);
    for (const contact of record.contacts) {
      for (const token of nameTokensOf(contact)) this.#tokens.add(`people ${token}`);
      const words = new Set(textsOfPerson(contact, record.language).join(' ').split(' '));
      for (const word of words) this.#wordsOfPeople.add(word, bitOf['contacts.people']);
    }
  }

  /** The tokens of all names that meet a condition, and a few that no name has. */
  namesFor({ form, keys, edits }: NameCondition, subject: 'media' | 'people'): string[] {
    const tokens = keys.map((key) => nameToken(form, key));
    const near =
      edits === 0 ? [] : tokens.flatMap((token) => this.#names.findNear(token, edits, sharedBeginning(form)));
    return [...tokens.filter((token) => this.#tokens.mayHave(`${subject} ${token}`)), ...near.map(({ text }) => text)];
  }

  /**
   * The words that meet a condition; of those with typos, like the embedded engine, the nearest and most frequent. `isCut`: too many begin
   * like the typed one, so these are missing.
   */
  wordsFor({ word, unfinished, edits, takesAllNear, in: scope }: WordCondition) {
    const words = scope === 'people' ? this.#wordsOfPeople : this.#words;
    const typed = words.get(word);
    const near = edits === 0 ? [] : words.findNear(word, edits).slice(0, takesAllNear ? undefined : maxCorrections);
    const begun = unfinished ? words.findBegun(word) : [];
    const terms = new Set([...(typed === undefined ? [] : [typed]), ...near, ...(begun ?? [])]);
    const inField = (field: WordField) =>
      [...terms].filter(({ fields }) => (fields & bitOf[field]) !== 0).map(({ text }) => text);
    return { inField, isCut: begun === null };
  }

  /** Whether a field has a word. */
  hasWord(word: string, field: WordField): boolean {
    const words = field === 'contacts.people' ? this.#wordsOfPeople : this.#words;
    return ((words.get(word)?.fields ?? 0) & bitOf[field]) !== 0;
  }
}

/** Tells which texts it has certainly not seen, in 16 MB however many there are: a bit for each, which few others share. */
class SeenTexts {
  readonly #bits = new Uint32Array(2 ** 22);

  add(text: string): void {
    const bit = bitFor(text);
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] as number) | (1 << bit);
  }

  mayHave(text: string): boolean {
    const bit = bitFor(text);
    return ((this.#bits[bit >>> 5] as number) & (1 << bit)) !== 0;
  }
}

/** 27 bits of a hash (FNV-1a, mixed). */
function bitFor(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 5;
}

/** Terms of one beginning and length, and the letters of each: side by side, since most are only looked at to be passed over. */
interface TermGroup {
  terms: Term[];
  letters: number[];
}

const noTerms = (): TermGroup => ({ terms: [], letters: [] });

/** Terms by their beginnings and lengths. */
class TermsByBeginning {
  readonly #terms = new Map<string, Term>();
  readonly #groups = new Map<string, TermGroup>();
  /** Those with the same first letter, sorted: made when one of them is looked for by its beginning. */
  readonly #sorted = new Map<string, string[]>();
  readonly #near = new LRUCache<string, readonly Term[]>(atMost(maxAnswers));

  get count(): number {
    return this.#terms.size;
  }

  /** @param beginning how many letters a mistyped one has in common with it */
  add(text: string, fields: number, beginning = 1): void {
    const knownTerm = this.#terms.get(text);
    if (knownTerm !== undefined) {
      knownTerm.times += 1;
      knownTerm.fields |= fields;
      return;
    }
    const term = { text, fields, times: 1 };
    this.#terms.set(text, term);
    const { terms, letters } = cached(this.#groups, groupOf(text, beginning, text.length), () => noTerms());
    terms.push(term);
    letters.push(letterBits(text));
    this.#near.clear();
    const sorted = this.#sorted.get(text.slice(0, 1));
    sorted?.splice(placeOf(text, sorted), 0, text);
  }

  get(text: string): Term | undefined {
    return this.#terms.get(text);
  }

  /** The others within so many edits, nearest first, then most frequent. */
  findNear(text: string, edits: number, beginning = 1): readonly Term[] {
    return cached(this.#near, `${edits} ${text}`, () => {
      const letters = letterBits(text);
      const near: Array<{ term: Term; away: number }> = [];
      for (let length = text.length - edits; length <= text.length + edits; length += 1) {
        const group = this.#groups.get(groupOf(text, beginning, length)) ?? noTerms();
        for (let place = 0; place < group.letters.length; place += 1) {
          if (!mayBeWithin(edits, letters, group.letters[place] as number)) continue;
          const term = group.terms[place] as Term;
          const away = countEdits(text, term.text, edits);
          if (away > 0 && away <= edits) near.push({ term, away });
        }
      }
      near.sort((a, b) => a.away - b.away || b.term.times - a.term.times || (a.term.text < b.term.text ? -1 : 1));
      return near.map(({ term }) => term);
    });
  }

  /** Those that begin so; null if they are many. */
  findBegun(beginning: string): Term[] | null {
    const sorted = cached(this.#sorted, beginning.slice(0, 1), () => this.#sort(beginning.slice(0, 1)));
    const begun: Term[] = [];
    for (let place = placeOf(beginning, sorted); sorted[place]?.startsWith(beginning); place += 1) {
      if (begun.length === maxBegun) return null;
      begun.push(this.get(sorted[place] as string) as Term);
    }
    return begun;
  }

  #sort(first: string): string[] {
    const groups = [...this.#groups].filter(([group]) => group.endsWith(first));
    return groups.flatMap(([, { terms }]) => terms.map(({ text }) => text)).sort();
  }
}

/** The place of a text in a sorted list, or where it would be. */
function placeOf(text: string, sorted: readonly string[]): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] as string) < text) from = middle + 1;
    else to = middle;
  }
  return from;
}

function groupOf(text: string, beginning: number, length: number): string {
  return `${length} ${text.slice(0, beginning)}`;
}

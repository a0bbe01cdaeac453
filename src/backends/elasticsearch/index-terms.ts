import { LRUCache } from 'lru-cache';
import type { MediaRecord } from '#records/media-record.ts';
import type { Condition } from '#search/conditions/conditions.ts';
import { maxCorrections } from '#search/conditions/typo-tolerance.ts';
import { nameTokensOf, textsOfPerson } from '#search/indexed/contact-text.ts';
import { mistypedForm, nameToken, sharedBeginning } from '#search/indexed/name-forms.ts';
import { searchableText } from '#search/indexed/searchable-text.ts';
import { compareTexts } from '#text/compare-texts.ts';
import { distinct } from '#text/distinct.ts';
import { countEdits, letterBits, mayBeWithin } from '#text/edit-distance.ts';
import { atMost, cached } from '#text/memoize.ts';
import { bitOf, readVocabulary, vocabularyOf, type WordField } from './vocabulary.ts';

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
/** Of whom a name or a word is. */
export type Subject = 'media' | 'people';

const fieldsOf = { media: bitOf['find.words'], people: bitOf['contacts.people'] };

/** The names that an index has, the words of media and those of their people. */
export class IndexTerms {
  readonly #tokens = new SeenTokens();
  readonly #names = new TermsByBeginning();
  readonly #words = { media: new TermsByBeginning(), people: new TermsByBeginning() };

  get count(): number {
    return this.#names.count + this.#words.media.count + this.#words.people.count;
  }

  /** Adds the tokens of names. */
  addNames(tokens: readonly string[], subject: Subject): void {
    for (const token of tokens) {
      this.#tokens.add(token, subject);
      const form = subject === 'media' ? mistypedForm(token) : undefined;
      if (form !== undefined) this.#names.add({ text: token, fields: 0, times: 0 }, sharedBeginning(form));
    }
  }

  /** Adds words with their fields, as readVocabulary has them. `timesOf`: how many records have a word, or contacts. */
  addWords(words: ReadonlyMap<string, number>, timesOf: (word: string, subject: Subject) => number): void {
    for (const [text, allFields] of words) {
      for (const subject of ['media', 'people'] as const) {
        const fields = allFields & fieldsOf[subject];
        if (fields !== 0) this.#words[subject].add({ text, fields, times: timesOf(text, subject) });
      }
    }
  }

  /** Adds the names and words of a record that changed. */
  addRecord(record: MediaRecord): void {
    const text = searchableText(record);
    this.addNames(text.nameKeys(), 'media');
    this.addNames(record.contacts.flatMap(nameTokensOf), 'people');
    const people = record.contacts.flatMap((contact) => textsOfPerson(contact, record.language));
    const timesOf = (word: string, subject: Subject) => (this.#words[subject].get(word)?.times ?? 0) + 1;
    this.addWords(readVocabulary(vocabularyOf(text, people)), timesOf);
  }

  /** The tokens of all names that meet a condition, and a few that no name has. */
  namesFor({ form, keys, edits }: NameCondition, subject: Subject): string[] {
    const tokens = keys.map((key) => nameToken(form, key));
    const near =
      edits === 0 ? [] : tokens.flatMap((token) => this.#names.findNear(token, edits, sharedBeginning(form)));
    return [...tokens.filter((token) => this.#tokens.mayHave(token, subject)), ...near.map(({ text }) => text)];
  }

  /**
   * The words that meet a condition; of those with typos, like the embedded engine, the nearest and most frequent. `isCut`: too many begin
   * like the typed one, so these are missing.
   */
  wordsFor({ word, unfinished, edits, takesAllNear, in: scope }: WordCondition) {
    const words = this.#words[scope === 'people' ? 'people' : 'media'];
    const typed = words.get(word);
    const near = edits === 0 ? [] : words.findNear(word, edits).slice(0, takesAllNear ? undefined : maxCorrections);
    const begun = unfinished ? words.findBegun(word) : [];
    const terms = [...(typed === undefined ? [] : [typed]), ...near, ...(begun ?? [])];
    const inField = (field: WordField) =>
      distinct(terms.filter(({ fields }) => (fields & bitOf[field]) !== 0).map(({ text }) => text));
    return { inField, isCut: begun === null };
  }

  /** Whether a field has a word. */
  hasWord(word: string, field: WordField): boolean {
    const words = this.#words[field === 'contacts.people' ? 'people' : 'media'];
    return ((words.get(word)?.fields ?? 0) & bitOf[field]) !== 0;
  }
}

/** Tells which tokens it has certainly not seen, in 16 MB however many there are: a bit for each, which few others share. */
class SeenTokens {
  readonly #bits = new Uint32Array(2 ** 22);

  add(token: string, subject: Subject): void {
    const bit = bitFor(token, subject);
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] as number) | (1 << bit);
  }

  mayHave(token: string, subject: Subject): boolean {
    const bit = bitFor(token, subject);
    return ((this.#bits[bit >>> 5] as number) & (1 << bit)) !== 0;
  }
}

/** 27 bits of a hash (FNV-1a, mixed). */
function bitFor(token: string, subject: Subject): number {
  let hash = subject === 'media' ? 0x811c9dc5 : 0x050c5d1f;
  for (let at = 0; at < token.length; at += 1) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 5;
}

/** Terms of one beginning and length, sorted. Side by side, since so many objects would slow the collection of garbage. */
const noTerms = () => ({
  texts: [] as string[],
  /** The letters of each: most terms are only looked at to be passed over. */
  letters: [] as number[],
  fields: [] as number[],
  times: [] as number[],
});
type TermGroup = ReturnType<typeof noTerms>;

/** Terms by their beginnings and lengths. */
class TermsByBeginning {
  readonly #groups = new Map<string, TermGroup>();
  readonly #near = new LRUCache<string, readonly Term[]>(atMost(maxAnswers));
  #count = 0;
  #longest = 0;

  get count(): number {
    return this.#count;
  }

  /** @param beginning how many letters a mistyped one has in common with it */
  add({ text, fields, times }: Term, beginning = 1): void {
    const group = cached(this.#groups, groupOf(text, beginning, text.length), () => noTerms());
    const place = placeOf(text, group.texts);
    if (group.texts[place] === text) {
      group.fields[place] = (group.fields[place] as number) | fields;
      group.times[place] = Math.max(group.times[place] as number, times);
      return;
    }
    insert(text, group.texts, place);
    insert(letterBits(text), group.letters, place);
    insert(fields, group.fields, place);
    insert(times, group.times, place);
    this.#count += 1;
    this.#longest = Math.max(this.#longest, text.length);
    if (this.#near.size > 0) this.#near.clear();
  }

  get(text: string): Term | undefined {
    const group = this.#groups.get(groupOf(text, 1, text.length)) ?? noTerms();
    const place = placeOf(text, group.texts);
    return group.texts[place] === text ? termAt(place, group) : undefined;
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
          const away = countEdits(text, group.texts[place] as string, edits);
          if (away > 0 && away <= edits) near.push({ term: termAt(place, group), away });
        }
      }
      near.sort((a, b) => a.away - b.away || b.term.times - a.term.times || compareTexts(a.term.text, b.term.text));
      return near.map(({ term }) => term);
    });
  }

  /** Those that begin so; null if they are many. */
  findBegun(beginning: string): Term[] | null {
    const begun: Term[] = [];
    for (let length = beginning.length; length <= this.#longest; length += 1) {
      const group = this.#groups.get(groupOf(beginning, 1, length)) ?? noTerms();
      for (let place = placeOf(beginning, group.texts); group.texts[place]?.startsWith(beginning); place += 1) {
        if (begun.length === maxBegun) return null;
        begun.push(termAt(place, group));
      }
    }
    return begun;
  }
}

function termAt(place: number, { texts, fields, times }: TermGroup): Term {
  return { text: texts[place] as string, fields: fields[place] as number, times: times[place] as number };
}

/** The place of a text in a sorted list, or where it would be. */
function placeOf(text: string, sorted: readonly string[]): number {
  let [from, to] = [0, sorted.length];
  // An engine lists its terms in order, so most come last.
  if (to > 0 && (sorted[to - 1] as string) < text) return to;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] as string) < text) from = middle + 1;
    else to = middle;
  }
  return from;
}

function insert<Value>(value: Value, list: Value[], place: number): void {
  if (place === list.length) list.push(value);
  else list.splice(place, 0, value);
}

function groupOf(text: string, beginning: number, length: number): string {
  return `${length} ${text.slice(0, beginning)}`;
}

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { MediaRecord } from '#records/media-record.ts';
import type { SearchableText } from '#search/indexed/searchable-text.ts';
import { foldedWords, partElisions, withoutInvisible } from '#text/fold.ts';
import { memoize, once } from '#text/memoize.ts';
import { smallWords } from '#text/name-keys.ts';

export const dimensions = 192;

/** A meaning: a unit vector, each number times `unit`. The dot product of two says how near they are. */
export type Meaning = Int8Array<ArrayBuffer>;

/** Few numbers of a unit vector are beyond a half. */
export const unit = 254;
/** Words of a description that count: the rest says the same again. */
const maxWords = 120;
/** In UTF-16 code units: as long as so many words are. */
const maxLength = 900;
/** What a name counts beside its description. */
const nameWeight = 0.4;
/** How many records sharpen a meaning. */
export const examples = 5;
/** In letters: shorter words stand in too many others. */
const minHalf = 4;
/** Words count from this cosine with a meaning on: below it, words have nothing to do with it. */
const minWordLikeness = 0.25;

/** The words with their vectors, which make-table.py weighted by how rare they are. See README.md. */
const readTable = once(() => {
  const file = readFileSync(new URL('./words.bin', import.meta.url));
  const [count = 0, size] = new Uint32Array(file.buffer, file.byteOffset, 2);
  if (size !== dimensions) throw new Error('words.bin has another number of dimensions');
  const rowsAt = 8 + 4 * (count + size);
  const end = rowsAt + count * size;
  // Arrays of four bytes must begin at a multiple of four, which a pooled buffer does not promise.
  const bytes = file.byteOffset === 0 ? file.buffer : Uint8Array.from(file).buffer;
  const scales = new Float32Array(bytes, 8, count);
  const common = new Float32Array(bytes, 8 + 4 * count, size);
  const rows = new Int8Array(bytes, rowsAt, count * size);
  const places = new Map<string, number>();
  for (const [place, word] of file.toString('latin1', end).split('\n').entries()) places.set(word, place);
  // Each line: a word of another language, or one that is newer than the table, and those of the table that mean the same.
  const translations = new Map<string, string>();
  for (const name of ['other-languages.txt', 'newer-words.txt']) {
    for (const line of readFileSync(new URL(name, import.meta.url), 'latin1').split('\n')) {
      const space = line.indexOf(' ');
      translations.set(line.slice(0, space), line.slice(space + 1));
    }
  }
  return { scales, common, rows, places, translations };
});

/** What a person looks for; null if no word of it is known. */
export function embedText(text: string): Meaning | null {
  const sum = sumOf(wordsOf(text), ownSum);
  return sum === null ? null : quantize(toUnit(sum));
}

/** What a medium is about; null if no word of it is known. */
export function embedRecord(record: MediaRecord, { description }: SearchableText): Meaning | null {
  const ofText = sumOf(topicWords(record, description().split(' ')), ownSum);
  const ofName = sumOf(foldedWords(record.name), nameSum);
  if (ofText !== null && ofName !== null) addTo(toUnit(ofText), toUnit(ofName), nameWeight);
  const sum = ofText ?? ofName;
  const meaning = sum && quantize(toUnit(addTo(toUnit(sum), readTable().common, -1)));
  return meaning && tellApart(meaning, record.id);
}

/**
 * Moves one of sixteen numbers by one, as the id says. Hundreds of records mean the same ("Alb News", "Moreton News"). Were
 * they equal, a graph of neighbors would link them only to each other, and a search would miss four fifths of the nearest.
 */
function tellApart(meaning: Meaning, id: string): Meaning {
  const bytes = hash('shake256', id, { outputEncoding: 'buffer', outputLength: dimensions });
  for (let at = 0; at < dimensions; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 16) meaning[at] = Math.min((meaning[at] as number) + (byte % 2 === 0 ? 1 : -1), 127);
  }
  return meaning;
}

/**
 * Tells how many words of a record are near to a meaning, and how near: the sum over its different words. A vector says
 * what a text is about on the whole; a description that is about three things has the words of each.
 */
export function weighWords(meaning: Meaning): (record: MediaRecord) => number {
  const { rows, scales } = readTable();
  const weights = new Map<number, number>();
  const weigh = (place: number) => {
    const start = place * dimensions;
    let product = 0;
    let squares = 0;
    for (let at = 0; at < dimensions; at += 1) {
      const value = rows[start + at] as number;
      product += value * (meaning[at] as number);
      squares += value * value;
    }
    const length = Math.sqrt(squares);
    const rarity = Math.sqrt(length * (scales[place] as number));
    return Math.max(0, product / length / unit - minWordLikeness) * rarity;
  };
  return (record) => {
    const description = wordsOf((record.description ?? '').slice(0, maxLength));
    const wordPlaces = new Set<number>();
    for (const word of foldedWords(record.name)) for (const place of placesOf(word)) wordPlaces.add(place);
    for (const word of topicWords(record, description)) for (const place of placesOf(word)) wordPlaces.add(place);
    let sum = 0;
    for (const place of wordPlaces) {
      const weight = weights.get(place) ?? weigh(place);
      weights.set(place, weight);
      sum += weight;
    }
    return sum;
  };
}

/** A meaning between one and the mean of others, nearer to the one. */
export function blend(meaning: Meaning, neighbors: readonly Meaning[]): Meaning {
  const mean = new Float32Array(dimensions);
  for (const neighbor of neighbors) addTo(mean, neighbor, 1);
  return quantize(toUnit(addTo(toUnit(Float32Array.from(meaning)), toUnit(mean), 0.5))) ?? meaning;
}

/** The cosine of two meanings. */
export function likeness(one: Meaning, other: Meaning): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] as number), 0) / unit ** 2;
}

function topicWords({ categories, tags }: MediaRecord, description: readonly string[]): readonly string[] {
  return [...categories.flatMap((category) => category.split('_')), ...tags.flatMap(foldedWords), ...description].slice(
    0,
    maxWords,
  );
}

function wordsOf(text: string): readonly string[] {
  return foldedWords(partElisions(withoutInvisible(text)));
}

/** Reused, because to make an array costs more than to sum up into it. */
const ownSum = new Float32Array(dimensions);
const nameSum = new Float32Array(dimensions);

/** The sum, in the array that is given; null if no word is known. */
function sumOf(words: readonly string[], sum: Float32Array): Float32Array | null {
  const { rows, scales } = readTable();
  let isKnown = false;
  sum.fill(0);
  for (const word of words) {
    const places = placesOf(word);
    for (const place of places) {
      isKnown = true;
      const start = place * dimensions;
      const scale = (scales[place] ?? 0) / places.length;
      for (let at = 0; at < dimensions; at += 1) sum[at] = (sum[at] as number) + (rows[start + at] as number) * scale;
    }
  }
  return isKnown ? sum : null;
}

const placesOf = memoize((word): readonly number[] => {
  // Those of other languages look like rare English ones.
  if (smallWords.has(word)) return [];
  const { places, translations } = readTable();
  const form = [word, word.replace(/s$/, '')].find((spelling) => places.has(spelling) || translations.has(spelling));
  const words = form === undefined ? halvesOf(word, places) : (translations.get(form) ?? form).split(' ');
  return words.flatMap((half) => places.get(half) ?? []);
});

/** The two known words of which an unknown one is made (`winemaking`), split as near to its middle as can be. None if there are no such. */
function halvesOf(word: string, places: ReadonlyMap<string, number>): readonly string[] {
  const middle = Math.floor(word.length / 2);
  for (let shift = 0; middle - shift >= minHalf; shift += 1) {
    for (const at of [middle - shift, middle + shift]) {
      const halves = [word.slice(0, at), word.slice(at)];
      if (halves.every((half) => half.length >= minHalf && places.has(half))) return halves;
    }
  }
  return [];
}

function addTo(sum: Float32Array, vector: ArrayLike<number>, weight: number): Float32Array {
  for (let at = 0; at < dimensions; at += 1) sum[at] = (sum[at] as number) + (vector[at] as number) * weight;
  return sum;
}

/** The vector with length 1; a vector without length stays. Loops take half of the time of `hypot` and `map`. */
function toUnit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (let at = 0; at < dimensions; at += 1) squares += (vector[at] as number) ** 2;
  const length = Math.sqrt(squares);
  if (length > 0) for (let at = 0; at < dimensions; at += 1) vector[at] = (vector[at] as number) / length;
  return vector;
}

function quantize(vector: Float32Array): Meaning | null {
  const meaning = new Int8Array(dimensions);
  let isKnown = false;
  for (let at = 0; at < dimensions; at += 1) {
    const value = Math.max(-127, Math.min(127, Math.round((vector[at] as number) * unit)));
    meaning[at] = value;
    isKnown ||= value !== 0;
  }
  return isKnown ? meaning : null;
}

import { findLanguage } from '#records/places/languages.ts';
import { perObject } from '#text/memoize.ts';
import { smallWords } from '#text/name-keys.ts';
import { joinAlternatives, joinWordsAroundOr } from './alternatives.ts';
import { maxOfCode, mayBeBegun, mayBeginPlace } from './begun-words.ts';
import { maxWordsOfName } from './concept-words.ts';
import { conceptsOf } from './concepts-of.ts';
import {
  anyKind,
  anyLanguage,
  anyNature,
  hasKind,
  hasNature,
  isRecognized,
  likelyConcepts,
  type Part,
  unknownNature,
} from './parts.ts';
import { isFiller, isFillerOfPeople, isLanguageWord, isRegionWord } from './query-words.ts';
import { conceptsOfCode } from './region-codes.ts';
import { searchWords } from './search-words.ts';

/**
 * Reads typed words as parts, the longest first: `newspapers in new mexico` → newspapers: type.newspaper, new mexico:
 * region.us.nm. Leaves out small words ("in") and words of value ("best"), unless nothing else was typed.
 */
export const readParts = perObject((words: readonly string[]) => readTelling(words, isFiller));

/** The same, as people are looked for: `editor` is a word of a title, `covers` asks for nothing. */
export const readPartsOfPeople = perObject((words: readonly string[]) => readTelling(words, isFillerOfPeople));

function readTelling(words: readonly string[], isLeftOut: (word: string) => boolean): readonly Part[] {
  const parts: Part[] = [];
  for (let start = 0; start < words.length; ) {
    const part = readPart(words, start);
    start += part.words.length;
    // `welsh language`, `in portuguese`
    const isBehindIn = words[start - part.words.length - 1] === 'in';
    const isNamed = isLanguageWord(words[start] ?? '');
    const recognized = isBehindIn || isNamed ? part.concepts.filter((concept) => anyLanguage.test(concept)) : [];
    const languages = recognized.length === 0 && isNamed ? languageNamed(part) : recognized;
    parts.push(languages.length > 0 ? { ...part, concepts: languages } : part);
  }
  const last = parts.pop();
  if (last !== undefined) parts.push(parts.some(isRecognized) ? mayBeBegun(words, last, parts) : last);
  const joined = joinWordsAroundOr(joinAlternatives(withoutRegionWords(parts)));
  const telling = joined.filter((part) => {
    const [word = ''] = part.words;
    return isRecognized(part) || !isLeftOut(word) || (part === joined.at(-1) && mayBeginPlace(part, words));
  });
  return telling.length > 0 ? readNatures(telling) : parts;
}

/** `hmong` of `hmong language`: languages whose names are also other words stand for nothing elsewhere. */
function languageNamed({ words }: Part): string[] {
  const name = words.join(' ');
  const code = name.length > maxOfCode ? findLanguage(name) : null;
  return code === null ? [] : [`language.${code.split('-', 1)[0]}`];
}

/** `sverdlovsk oblast` → `sverdlovsk`, `pitcairn island` → `pitcairn`, `canton de vaud` → `de vaud` */
function withoutRegionWords(parts: readonly Part[]): Part[] {
  const neighbors = parts.filter(({ words: [word = ''] }) => !smallWords.has(word));
  return parts.filter((part) => {
    const place = neighbors.indexOf(part);
    const beside = isRegionWord(part.words[0] ?? '') ? [neighbors[place - 1], neighbors[place + 1]] : [];
    return !beside.some((other) => other?.concepts.some((concept) => /^(?:region|country)\./.test(concept)));
  });
}

export function readPart(words: readonly string[], start: number): Part {
  const { byWord } = searchWords();
  for (let length = Math.min(maxWordsOfName, words.length - start); length > 1; length -= 1) {
    const name = words.slice(start, start + length);
    const concepts = byWord.get(name.join(' '));
    if (concepts !== undefined) return { words: name, concepts };
  }
  const word = words[start] ?? '';
  const ofCode = conceptsOfCode(words, start);
  const concepts = [...(smallWords.has(word) && ofCode.length === 0 ? [] : conceptsOf(word)), ...ofCode];
  return { words: [word], concepts };
}

/**
 * Many names have "national" or "weekly". These words stand for a coverage or a frequency only beside something recognized: if
 * another word says the kind (`weekly food newsletters`), or if they are a kind (`weeklies in vermont`). They also stand for
 * media whose coverage or frequency is unknown.
 */
function readNatures(parts: readonly Part[]): Part[] {
  return parts.flatMap((part, place) => {
    if (!hasNature(part)) return [part];
    const { words, concepts } = part;
    const natures = concepts.filter((concept) => anyNature.test(concept));
    const asNature = {
      words,
      concepts: [...natures, ...new Set(natures.map((concept) => concept.replace(/\..*/, unknownNature)))],
    };
    const isBeside = [parts[place - 1], parts[place + 1]].some(
      (neighbor) => neighbor !== undefined && likelyConcepts(neighbor).length > 0,
    );
    const saysKind = parts.some((other) => hasKind(other) && other !== part && !(hasNature(other) && hasKind(part)));
    if (saysKind && isBeside) return [asNature];
    if (saysKind || !hasKind(part)) return words.map((word) => ({ words: [word], concepts: [] }));
    return [{ words, concepts: concepts.filter((concept) => anyKind.test(concept)) }, ...(isBeside ? [asNature] : [])];
  });
}

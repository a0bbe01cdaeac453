import { isSpaceless } from '#text/fold.ts';
import { memoize } from '#text/memoize.ts';
import { withoutArabicArticle } from '#text/spellings.ts';
import { anyLanguage } from './parts.ts';
import { isFiller, isLanguageWord, isOfException } from './query-words.ts';
import { searchWords } from './search-words.ts';
import { possibleStems, splitCompound, withoutHebrewPrefix, withoutLinkingSign } from './word-forms.ts';

/** A longer run in a script without spaces is hardly made of a few words. In UTF-16 code units. */
const maxCompound = 16;

/** A shorter subject before a word for a kind is more often part of a name. In UTF-16 code units. */
const minSubject = 2;
const endsASubject = (concept: string) => /^(?:kind\.(?:podcast|newsletter)|type\.blog)$/.test(concept);

/** `"tech"` → `['topic.technology']`. A run in a script without spaces may be several words: see wordsWithin. */
export const conceptsOf = memoize((word: string): readonly string[] => {
  const { byWord, byStem } = searchWords();
  const bare = withoutArabicArticle(word);
  const asTyped = byWord.get(bare) ?? byWord.get(withoutHebrewPrefix(bare)) ?? [];
  if (isSpaceless(bare)) return asTyped;
  const concepts = new Set([...asTyped, ...possibleStems(bare).flatMap((stem) => byStem.get(stem) ?? [])]);
  const isOther = concepts.size > 0 || isFiller(bare) || splitCompound(bare) !== null;
  return isOther ? [...concepts] : conceptsOfBeginning(bare);
});

/** The most letters behind a beginning: `entomologists`. More are mostly another word. */
const maxBehindBeginning = 5;

/** What the longest beginning of a word stands for: `entomology`, `entomologia` → `same.entomology`. */
function conceptsOfBeginning(word: string): readonly string[] {
  const lengths = Array.from({ length: maxBehindBeginning + 1 }, (_, behind) => word.length - behind);
  const { byBeginning } = searchWords();
  return (
    lengths.map((length) => byBeginning.get(word.slice(0, length))).find((concepts) => concepts !== undefined) ?? []
  );
}

/** Whether addresses have this code of a region: `tx`. */
export function isRegionCode(word: string): boolean {
  return searchWords().byCode.has(word);
}

/**
 * `"科技播客"` (tech podcast) → `['科技', '播客']`. Only the run itself unless it is made of words that stand for something or ask for nothing, or ends with a
 * word for blogs, podcasts or newsletters: those for papers and stations end names.
 */
export function wordsWithin(run: string): readonly string[] {
  if (conceptsOf(run).length > 0) return [run];
  if (!isSpaceless(run)) {
    // `deutschsprachige` → `deutsch`, `sprachige`
    const isLanguage = (word: string) => conceptsOf(word).some((concept) => anyLanguage.test(concept));
    const end = [...run].findIndex((_, at) => isLanguageWord(run.slice(at)) && isLanguage(run.slice(0, at)));
    if (end > 0) return [run.slice(0, end), run.slice(end)];
    const compound = splitCompound(run);
    const topic = compound?.topics.find(isOfTopic);
    const subject = topic ?? (conceptsOf(compound?.kind ?? '').every(endsASubject) ? compound?.topics[0] : undefined);
    return compound === null || subject === undefined ? [run] : [subject, compound.kind];
  }
  if (run.length > maxCompound) return [run];
  for (let end = run.length - 1; end > 0; end -= 1) {
    const first = run.slice(0, end);
    const rest = withoutLinkingSign(run.slice(end));
    const words = [first, ...(rest === '' ? [] : wordsWithin(rest))];
    if (words.every((word) => conceptsOf(word).length > 0 || isFiller(word) || isOfException(word))) return words;
  }
  for (let start = minSubject; start < run.length; start += 1) {
    const ending = conceptsOf(run.slice(start));
    if (ending.length > 0 && ending.every(endsASubject)) return [run.slice(0, start), run.slice(start)];
  }
  return [run];
}

/** `news` may be a kind, and "Newsmagazine" is in names. */
function isOfTopic(word: string): boolean {
  const concepts = conceptsOf(word);
  return concepts.length > 0 && concepts.every((concept) => /^(?:topic|same)\./.test(concept));
}

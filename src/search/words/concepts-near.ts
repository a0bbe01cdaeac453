import { countEdits } from '#text/edit-distance.ts';
import { memoize, once } from '#text/memoize.ts';
import { searchWords } from './search-words.ts';

/** A shorter word is near too many others. In UTF-16 code units. */
const minLength = 6;
/** If a word is near words for more concepts, nobody can tell which one was meant. */
const maxConcepts = 3;

/** A shorter name of a city is near too many words. In UTF-16 code units. */
const minLengthOfCity = 9;

const wordsByBeginning = once(() => {
  const single = [...searchWords().byWord].filter(
    ([word, concepts]) => word.length >= minLengthFor(concepts) && !word.includes(' '),
  );
  return Map.groupBy(single, ([word]) => word.charAt(0));
});

const minLengthFor = (concepts: readonly string[]) =>
  concepts.some((concept) => concept.startsWith('city.')) ? minLengthOfCity : minLength;

/** What a word with one typo stands for, which no record may have in its texts: `estonain` → country.ee, language.et. */
export const conceptsNear = memoize((typed: string): readonly string[] => {
  const words = typed.length < minLength ? [] : (wordsByBeginning().get(typed.charAt(0)) ?? []);
  const near = words.filter(([word]) => countEdits(typed, word, 1) <= 1);
  const concepts = new Set(near.flatMap(([, meanings]) => meanings));
  return concepts.size > maxConcepts ? [] : [...concepts];
});

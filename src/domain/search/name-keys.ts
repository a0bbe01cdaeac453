import { nameKey, withoutElisions, withoutInvisible } from './fold.ts';
import { andWords, articles } from './small-words.ts';
import { withoutArabicArticle } from './spellings.ts';

/** `Times, The`, as sorted lists have it. */
const trailingWord = /,\s*(\p{L}{1,3})$/u;

/** The keys under which a name is found as a whole: its nameKey, and its otherNameKeys. */
export function wholeNameKeys(name: string): string[] {
  return [nameKey(name), ...otherNameKeys(name)];
}

/**
 * The keys besides its nameKey under which a name is found as a whole: without articles and without words for "and",
 * which others write as a sign. `The Bread & Butter` and `Bread and Butter` share `bread butter`.
 */
export function otherNameKeys(name: string): string[] {
  const loose = looseKey(withoutInvisible(name).trim());
  return loose === nameKey(name) || loose === '' ? [] : [loose];
}

function looseKey(name: string): string {
  const words = nameKey(withoutElisions(name)).split(' ').map(withoutArabicArticle);
  const trailing = trailingWord.exec(name)?.[1];
  if (words.length > 1 && trailing !== undefined && articles.has(nameKey(trailing))) words.pop();
  if (words.length > 1 && articles.has(words[0] ?? '')) words.shift();
  return words.filter((word, index) => index === 0 || index === words.length - 1 || !andWords.has(word)).join(' ');
}

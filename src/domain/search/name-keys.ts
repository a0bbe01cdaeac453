import { nameKey, withoutElisions, withoutInvisible } from './fold.ts';
import { andWords, articles } from './small-words.ts';
import { romanizedKeys, withoutArabicArticle } from './spellings.ts';

/** `Times, The`, as sorted lists have it. */
const trailingWord = /,\s*(\p{L}{1,3})$/u;

const mark = 'ˈ';

/**
 * The keys under which a name is found as a whole: its nameKey, its otherNameKeys, and in Latin letters.
 *
 * @param scripts in which names there are written (see scriptsOf)
 */
export function wholeNameKeys(name: string, scripts: readonly string[]): string[] {
  return [nameKey(name), ...otherNameKeys(name).map(markedKey), ...namesInLatin(name, scripts)];
}

/**
 * An otherNameKey of a record as it is indexed. The mark, which no folded text has, keeps it from being taken for a name:
 * who types `Advocat` means the Advocate before The Advocate.
 */
export function markedKey(key: string): string {
  return mark + key;
}

/** The key without the mark of markedKey, for people. */
export function unmarkedKey(key: string): string {
  return key.startsWith(mark) ? key.slice(mark.length) : key;
}

/**
 * The keys besides its nameKey under which a name is found as a whole: without articles and without words for "and",
 * which others write as a sign (`The Bread & Butter` and `Bread and Butter` share `bread butter`).
 */
export function otherNameKeys(name: string): string[] {
  const loose = looseKey(withoutInvisible(name).trim());
  return loose === nameKey(name) || loose === '' ? [] : [loose];
}

/**
 * The keys of a name in Latin letters, by its sound or its consonants (see romanize.ts).
 *
 * @param scripts as for wholeNameKeys; `any` for typed names, which may be meant for any place
 */
export function namesInLatin(name: string, scripts: readonly string[] | 'any'): string[] {
  return romanizedKeys(otherNameKeys(name)[0] ?? nameKey(name), scripts);
}

function looseKey(name: string): string {
  const words = nameKey(withoutElisions(name)).split(' ').map(withoutArabicArticle);
  const trailing = trailingWord.exec(name)?.[1];
  if (words.length > 1 && trailing !== undefined && articles.has(nameKey(trailing))) words.pop();
  if (words.length > 1 && articles.has(words[0] ?? '')) words.shift();
  return words.filter((word, index) => index === 0 || index === words.length - 1 || !andWords.has(word)).join(' ');
}

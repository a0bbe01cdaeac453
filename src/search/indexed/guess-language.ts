import { languages, wordsOfLanguage } from '#languages/words.ts';
import { foldedWords } from '#text/fold.ts';
import { once } from '#text/memoize.ts';

/** Languages that a script or one of its letters tells, in the order in which they are tried. */
const ofScript: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]{2}/u],
  ['ko', /\p{Script=Hangul}{2}/u],
  ['zh', /\p{Script=Han}{4}/u],
  ['el', /\p{Script=Greek}{4}/u],
  ['he', /\p{Script=Hebrew}{4}/u],
  ['hi', /\p{Script=Devanagari}{4}/u],
  ['bn', /\p{Script=Bengali}{4}/u],
  ['th', /\p{Script=Thai}{4}/u],
  ['be', /ў/u],
  ['uk', /[іїєґ]/u],
  ['mk', /[ѓќ]/u],
  ['sr', /[ђјљњћџ]/u],
  ['ru', /[ыэё]/u],
  ['bg', /\p{Script=Cyrillic}{4}/u],
  ['ku', /[ڕڵۆ]/u],
  ['ur', /[ٹڈے]/u],
  ['fa', /[پچژگ]/u],
  ['ar', /\p{Script=Arabic}{4}/u],
];
/** Languages that letters tell, where frequent words do not. One alone may be in a name. */
const ofLetters: readonly (readonly [string, RegExp])[] = [
  ['tr', /[ğı].*[ğış]/su],
  ['pl', /[łąę].*[łąęż]/su],
  ['cs', /[ěřů].*[ěřů]/su],
  ['hu', /[őű].*[őű]/su],
  ['ro', /[șț].*[șță]/su],
  ['vi', /[ạảấầẩậắặẹềểễệịọốồổộớờởợụủứừửữự].*[ạảấầẩậắặẹềểễệịọốồổộớờởợụủứừửữự]/su],
];

/** How much of a text is read, in words. */
const maxWords = 80;
/** How many frequent words a text must have at least, which share of all, and how far they must be before the next language's. */
const minFrequent = 3;
const minShare = 0.15;
const minLead = 1.1;

/** The languages in which a word is frequent. */
const frequentWords = once(() => {
  const byWord = new Map<string, string[]>();
  for (const language of languages) {
    const words = (wordsOfLanguage(language).get('sentence.word') ?? []).flatMap(foldedWords);
    const code = language === 'nb' ? 'no' : language;
    for (const word of new Set(words)) byWord.set(word, [...(byWord.get(word) ?? []), code]);
  }
  return byWord;
});

/**
 * Guesses in which language a text is: by its script, frequent words or letters. Null if they do not tell, as in a list of names.
 *
 * @param text as it is written
 * @param words its folded words
 * @returns an ISO 639-1 code, `no` for Norwegian
 */
export function guessLanguage(text: string, words: readonly string[]): string | null {
  const toldBy = (signs: typeof ofScript) => signs.find(([, sign]) => sign.test(text))?.[0] ?? null;
  return toldBy(ofScript) ?? toldByWords(words.slice(0, maxWords)) ?? toldBy(ofLetters);
}

function toldByWords(words: readonly string[]): string | null {
  const scores = new Map<string, number>();
  let count = 0;
  for (const word of words) {
    const ofWord = frequentWords().get(word) ?? [];
    count += Math.min(ofWord.length, 1);
    for (const language of ofWord) scores.set(language, (scores.get(language) ?? 0) + 1 / Math.sqrt(ofWord.length));
  }
  const [best = null, next] = [...scores].sort(([, score], [, otherScore]) => otherScore - score);
  if (best === null || count < Math.max(minFrequent, words.length * minShare)) return null;
  return best[1] >= minLead * (next?.[1] ?? 0) ? best[0] : null;
}

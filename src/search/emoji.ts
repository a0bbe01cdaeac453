import { createRequire } from 'node:module';
import { foldedWords, isAscii, withoutInvisible } from '#text/fold.ts';
import { once } from '#text/memoize.ts';

/** Pictures and flags; not the signs ©, ®, ™ and other punctuation that Unicode counts among them. */
const emoji = /[\p{Extended_Pictographic}--[\0-\u218f]]|[\u{1f1e6}-\u{1f1ff}]{2}/gv;
const flag = /^[\u{1f1e6}-\u{1f1ff}]{2}$/u;
const firstRegionalIndicator = 0x1f1e6;

/** The emoji in a text, each as a word; without variants, skin tones and joiners: `"👩🏽‍🍳 ☕️"` → `['👩', '🍳', '☕']`. */
export function emojisIn(text: string): string[] {
  return isAscii(text) ? [] : (withoutInvisible(text).match(emoji) ?? []);
}

/** The folded English words for an emoji, as Unicode names it: `💡` → `['light', 'bulb']`. Empty for other words. */
export function wordsForEmoji(word: string): readonly string[] {
  return emojisIn(word)[0] === word ? (namesOfEmoji().get(word) ?? []) : [];
}

/** The concept of a flag: `🇩🇪` → `country.de`; null for other words. */
export function conceptOfFlag(word: string): string | null {
  if (!flag.test(word)) return null;
  const letters = [...word].map((letter) => 97 + (letter.codePointAt(0) ?? 0) - firstRegionalIndicator);
  return `country.${String.fromCharCode(...letters)}`;
}

/** Read when the first emoji appears: half a megabyte that most imports and searches never need. */
const namesOfEmoji = once(() => {
  const data: Record<string, { name: string }> = createRequire(import.meta.url)(
    'unicode-emoji-json/data-by-emoji.json',
  );
  return new Map(Object.entries(data).map(([sign, { name }]) => [withoutInvisible(sign), foldedWords(name)]));
});

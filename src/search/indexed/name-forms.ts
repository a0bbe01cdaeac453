import { distinct } from '#text/distinct.ts';
import { foldedWords, isAscii, isSpaceless } from '#text/fold.ts';
import { articles, type NameKeys, placePrepositions, smallWords } from '#text/name-keys.ts';

/**
 * Forms of a whole name that find it if it was typed with other spaces, in another order, with typos, or with a word too
 * many. Records and queries make them from the same keys (see name-keys.ts). An index has them as tokens of one field.
 */
export type NameForm = keyof typeof prefixes;

const prefixes = {
  /** The name or an alias, by one of its wholeNameKeys. */
  whole: '_w',
  /** Without spaces, with and without articles: `thenewyorktimes`, as of "The NewYork Times", and `newyorktimes`. */
  compact: '_c',
  /** Its words sorted, without spaces: `newthetimesyork`. */
  sorted: '_s',
  /** The letters of a short name, sorted: `beinrtu` for "Tribune". Names with the same letters are more alike than others. */
  letters: '_l',
  /** Two neighboring words as one: `newyork`. */
  joined: '_j',
  /** Its initials: `nyt`. */
  initials: '_i',
  /** Its first two words, which mostly name a place, by their initials: `nytimes`. */
  shortened: '_p',
  /** The part of its host that people remember, without hyphens: `nytimes`. */
  label: '_h',
  /** How many words it has. */
  count: '_n',
} as const;

/** In UTF-16 code units. A longer name is found by its words and by its nameKey only. */
const maxFormedName = 100;
/** Only a text of three to eight words is looked up without one of them: of two words, each may be a whole name. */
const minWordsToDrop = 3;
const maxWordsToDrop = 8;
/** If fewer letters are left of a text without one of its words, they are hardly a name. */
const minLettersLeft = 3;
/** Longer names are not found by their letters. */
const maxLettersListed = 8;
const maxInitials = 8;
/** `Harbour Times.com` */
const hostSuffix = /\.\p{L}{2,6}$/u;
/** Most keys have such a letter, which shows quickly that they have a word. */
const hasPlainLetter = /[a-z0-9]/;

/** The token of a name in a form. It begins with `_`, as no word does; names made only of punctuation have one too. */
export function nameToken(form: NameForm, key: string): string {
  const isOfWords = hasPlainLetter.test(key) || foldedWords(key).length > 0;
  return prefixes[form] + (isOfWords ? key.replaceAll(' ', '_') : `.${Buffer.from(key).toString('hex')}`);
}

/** How many first characters a mistyped token shares with the right one: the prefix and a letter. Sorted letters may begin with any. */
export function sharedBeginning(form: NameForm): number {
  return prefixes[form].length + (form === 'letters' ? 0 : 1);
}

/** The tokens of names in the forms that need only their keys. */
export function formTokens(names: readonly NameKeys[]): string[] {
  const formed = names.map(({ own }) => own).filter(hasForms);
  const { compact, letters } = mistypedTokens(names);
  return [
    ...compact,
    ...names.flatMap(shortenedName).map((name) => nameToken('shortened', name)),
    ...formed.map((name) => nameToken('sorted', sortedName(name))),
    ...letters,
    ...formed.map((name) => nameToken('count', String(countWords(name)))),
  ];
}

/** The form of a token, if names in this form are also looked for with typos. */
export function mistypedForm(token: string): NameForm | undefined {
  return (['compact', 'letters'] as const).find((form) => token.startsWith(prefixes[form]));
}

function mistypedTokens(names: readonly NameKeys[]) {
  const keys = [...names.map(({ own }) => own), ...names.flatMap(({ others }) => others)];
  const compact = keys.filter(hasForms).map(compactName);
  const short = compact.filter(({ length }) => length <= maxLettersListed);
  return {
    compact: compact.map((name) => nameToken('compact', name)),
    letters: short.map((name) => nameToken('letters', sortedLetters(name))),
  };
}

function shortenedName({ own, others: [bare = own] }: NameKeys): string[] {
  const [first = '', second = '', ...rest] = bare.split(' ');
  return rest.length > 0 && hasForms(bare) ? [firstLetters([first, second], 1) + rest.join('')] : [];
}

export function hasForms(name: string): boolean {
  return name.length <= maxFormedName && (hasPlainLetter.test(name) || /[\p{L}\p{N}]/u.test(name));
}

/** `"the new york times"` → `"thenewyorktimes"` */
export function compactName(name: string): string {
  return name.replaceAll(' ', '');
}

/** `"the new york times"` → `"newthetimesyork"` */
export function sortedName(name: string): string {
  return name.split(' ').sort().join('');
}

/** `"tribune"` → `"beinrtu"` */
export function sortedLetters(compact: string): string {
  return [...compact].sort().join('');
}

export function countWords(name: string): number {
  return name.split(' ').length;
}

/** The compact names of a typed text without one of its words, if enough is left to tell a name: the last word first. */
export function withoutOneWord(typed: string): string[] {
  const words = typed.split(' ');
  if (words.length < minWordsToDrop || words.length > maxWordsToDrop) return [];
  const shorterNames = words.map((_, index) => words.toSpliced(index, 1)).filter((name) => !endsInPreposition(name));
  const names = shorterNames.map((name) => name.join('')).reverse();
  return [...new Set(names)].filter((name) => name.length >= minLettersLeft);
}

/** Whether something is missing behind these words: of `radio in munich`, `radio in` is no name. */
function endsInPreposition(words: readonly string[]): boolean {
  return placePrepositions.has(words.at(-1) ?? '');
}

/** The compact name of two typed words without the last, which people add to names; null if too little is left. */
export function withoutLastOfTwo(typed: string): string | null {
  const [first, last, ...more] = typed.split(' ');
  const isEnough = first !== undefined && first.length >= minLettersLeft && !endsInPreposition([first]);
  return isEnough && last !== undefined && more.length === 0 ? first : null;
}

/**
 * The initials of a name: the first letter of each word, with and without a leading article and other small words, and the
 * first two letters of each of two words. `The Voice of Harbour Street` → `['tvohs', 'vohs', 'vhs']`, `The Harbour
 * Post` → `['thp', 'hp', 'hapo']`. Empty for a single word.
 */
export function initialsOf(name: string): string[] {
  const words = foldedWords(name.replace(hostSuffix, '')).filter((word) => !isSpaceless(word));
  const bare = articles.has(words[0] ?? '') ? words.slice(1) : words;
  const telling = bare.filter((word) => !smallWords.has(word));
  const initials = [words, bare, telling]
    .filter(({ length }) => length > 1)
    .map((wordList) => firstLetters(wordList, 1));
  if (telling.length === 2) initials.push(firstLetters(telling, 2));
  return distinct(initials).filter(canBeInitials);
}

export function canBeInitials(word: string): boolean {
  return word.length > 1 && word.length <= maxInitials && !isSpaceless(word);
}

function firstLetters(words: readonly string[], count: number): string {
  return words.reduce(
    (letters, word) => letters + (isAscii(word) ? word.slice(0, count) : [...word].slice(0, count).join('')),
    '',
  );
}

import { nameKey } from '../../src/text/fold.ts';
import { piecesOf } from './letters.ts';

/** Scripts that put blanks between words. */
const scripts =
  'Latin Cyrillic Greek Arabic Hebrew Armenian Georgian Devanagari Bengali Gurmukhi Gujarati Tamil Telugu Kannada Malayalam Sinhala Ethiopic Hangul'
    .split(' ')
    .map((name) => ({ name, pattern: new RegExp(`^\\p{Script=${name}}`, 'u') }));

const onlyLetters = /^\p{L}[\p{L}\p{M}]+$/u;
/** A word at the end of fewer names probably belongs to one medium, so it is not used. */
const minNames = 2;

/** The last words of names, each as often as names end with it: Times, News, Herald, правда. */
export class LastWords {
  readonly #byScript: ReadonlyMap<string, readonly string[]>;

  constructor(names: Iterable<string>) {
    const ends = [...names].map(piecesOf).filter((pieces) => pieces.length > 1);
    const words = ends.map((pieces) => pieces.at(-1) ?? '').filter((word) => onlyLetters.test(word));
    const frequent = [...Map.groupBy(words.sort(), nameKey).values()].filter(({ length }) => length >= minNames);
    this.#byScript = Map.groupBy(frequent.flat(), (word) => scriptOf(word) ?? '');
  }

  /** Those in the script of the query's last letter; none for a script without blanks. */
  inScriptOf(query: string): readonly string[] {
    const script = scriptOf(query.match(/\p{L}/gu)?.at(-1) ?? '');
    return script === null ? [] : (this.#byScript.get(script) ?? []);
  }
}

function scriptOf(text: string): string | null {
  return scripts.find(({ pattern }) => pattern.test(text))?.name ?? null;
}

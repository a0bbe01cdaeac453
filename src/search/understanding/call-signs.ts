/** The call signs of American stations (FCC: K or W, then two or three letters). Written in capitals, or beside a frequency. */
const inCapitals = /^[KW][A-Z]{2,3}$/;
const inAnyCase = /^[kw][a-z]{2,3}$/;
/** `98.1`, `1420`, `FM` */
const frequency = /^(?:\d{2,4}|[af]m)$/;

/** `KHAK`, written in capitals */
export const isCallSign = (word: string): boolean => inCapitals.test(word);

/** The typed words that are call signs: `KHAK` and `khak 98.1`, not `west`. */
export function readCallSigns(typed: string, words: readonly string[]): string[] {
  const capitals = new Set(typed.split(/[^A-Za-z]+/).filter(isCallSign));
  return words.filter((word, place) => {
    const isBesideFrequency = [words[place + 1], words[place + 2], words[place - 1]].some((neighbor = '') =>
      frequency.test(neighbor),
    );
    return inAnyCase.test(word) && (isBesideFrequency || capitals.has(word.toUpperCase()));
  });
}

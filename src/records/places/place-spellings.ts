import { isAscii, nameKey, normalForm } from '#text/fold.ts';

/** Where people write umlauts as two letters: Muenchen, Koebenhavn. */
const countriesWithUmlauts = new Set(['AT', 'CH', 'DE', 'DK', 'FI', 'LI', 'NO', 'SE']);
const pairs: Readonly<Record<string, string>> = { ä: 'ae', æ: 'ae', ö: 'oe', ø: 'oe', ü: 'ue', å: 'aa' };

/** A name in nameKey form, followed by that form with its umlauts written in the other way. */
export function spellingsIn(place: string, country: string | null): string[] {
  const name = nameKey(place);
  if (country === null || !countriesWithUmlauts.has(country)) return [name];
  const lower = normalForm(place, 'NFC').toLowerCase();
  const other = isAscii(place)
    ? name.replace(/(?<![aeq])ue|oe|ae|aa/g, (pair) => pair.charAt(0))
    : nameKey(lower.replace(/[äæöøüå]/g, (letter) => pairs[letter] ?? letter));
  return [...new Set([name, other])];
}

import type { Dice } from './dice.ts';

/**
 * Number ranges reserved for fiction, `#` for any digit: North America 555-0100 to 0199 (NANPA), United Kingdom (Ofcom,
 * "Telephone numbers for use in TV and radio drama"), Australia (ACMA), France (ARCEP), Germany (Bundesnetzagentur,
 * "Drama-Nummern"), Sweden (PTS).
 */
const fictionalNumbers: Readonly<Record<string, readonly string[]>> = {
  US: ['+1 212 555 01##', '+1 312 555 01##', '+1 415 555 01##', '+1 503 555 01##', '+1 617 555 01##'],
  CA: ['+1 416 555 01##', '+1 514 555 01##', '+1 604 555 01##'],
  GB: ['+44 20 7946 0###', '+44 113 496 0###', '+44 161 496 0###', '+44 131 496 0###', '+44 1632 960###'],
  AU: ['+61 2 5550 ####', '+61 3 5550 ####', '+61 7 5550 ####', '+61 8 5550 ####'],
  FR: ['+33 1 99 00 ## ##', '+33 2 61 91 ## ##', '+33 3 53 01 ## ##', '+33 4 65 71 ## ##', '+33 5 36 49 ## ##'],
  DE: ['+49 30 23125 ###', '+49 69 90009 ###', '+49 40 66969 ###', '+49 221 4710 ###', '+49 89 99998 ###'],
  SE: ['+46 8 465 004 ##', '+46 31 390 06 ##', '+46 40 628 04 ##'],
};

/** A number that nobody owns; null for countries without such a range. */
export function fictionalNumber(country: string, dice: Dice): string | null {
  const patterns = fictionalNumbers[country];
  return patterns === undefined ? null : dice.pick(patterns).replaceAll('#', () => String(dice.below(10)));
}

import { isAscii } from '#text/fold.ts';

/**
 * What a wrong encoding makes of a letter: two or more of Windows-1252 (`Ã©`), of which the second may be lost as a space,
 * a replacement character, or a question mark.
 */
const damage = /[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u2122 ]|\ufffd|(?<=\p{L})\?(?=\p{L})/u;

/** Letters beyond ASCII and whatever a wrong encoding may have made of them. */
const losable = /(?:[\u00c2-\u00f4] |[^\0-\x7f]|\?)+/g;

/** A name with fewer other letters may be any name. */
const minSurviving = 4;

/** Whether a wrong encoding seems to have cost the text letters. The importer repairs what it can repair for certain. */
export function looksDamaged(text: string): boolean {
  return damage.test(text);
}

/**
 * The letters and digits that survive any encoding, with a `*` for each stretch of others: `di*rio` for `Diário`, `DiÃ¡rio`,
 * `DiÃ rio`, `Di?rio` and `Di�rio`. Null if the text has no such stretch, or too little else.
 */
export function survivingLetters(text: string): string | null {
  if (isAscii(text) && !text.includes('?')) return null;
  const form = text
    .replace(losable, '*')
    .toLowerCase()
    .replace(/[^a-z0-9*]/g, '');
  return form.includes('*') && form.replaceAll('*', '').length >= minSurviving ? form : null;
}

/** Accents of Latin and Greek letters, and vowel points of Arabic and Hebrew; vowel signs of other scripts are letters. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}]\p{M}*)\p{M}|[\u0591-\u05c7\u064b-\u065f\u0670]/gu;
const invisible = /\p{Cf}/gu;
const apostrophes = /['’ʼ`´ʹ](?<=\p{L}\p{M}*.)(?=\p{L})/gu;
/** The dots of `U.S.`, not those of a host. */
const dotsOfInitials = /(?<=(?<!\p{L}\p{M}*)\p{L}\p{M}*)\./gu;
const punctuation = /[\p{P}\p{S}]/gu;

/**
 * The query in lower case, without diacritics, and without punctuation: apostrophes and the dots of initials leave
 * nothing, all else a blank. Null if that changes nothing, or nothing is left.
 */
export function dropMarks(query: string): string | null {
  const plain = query
    .replace(invisible, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .normalize('NFD')
    .replace(accents, '')
    .normalize('NFC')
    .replace(apostrophes, '')
    .replace(dotsOfInitials, '')
    .replace(punctuation, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain === '' || plain === query ? null : plain;
}

/**
 * Marks that normalizing sorts, and the two letters that decompose into such marks. Sorting a run takes time quadratic
 * in its length: 256 KiB of marks take two minutes.
 */
const longRunOfMarks = /[\p{M}\uff9e\uff9f]{31,}/gu;
/** No language needs more marks on a letter; the limit of Unicode's Stream-Safe Text Format (UAX #15, section 13). */
const maxMarks = 30;

const firstMark = /[\u0300-\uffff]/;

/** The text in a Unicode normal form. Only the first 30 combining marks of a run are kept. */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  if (!firstMark.test(text)) return text.normalize(form);
  return text.replace(longRunOfMarks, (run) => [...run].slice(0, maxMarks).join('')).normalize(form);
}

/**
 * The text without any of these characters at its end. A pattern such as `/[.,]+$/` would scan each run of them
 * repeatedly.
 */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

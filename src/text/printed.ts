/** Quotes a text as one word of a shell command line. */
export function quoteForShell(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const numbers = new Intl.NumberFormat('en');

/** Such as `2,000`. */
export function formatNumber(number: number): string {
  return numbers.format(number);
}

/** Such as `1 record` and `2,000 records`. */
export function countOf(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

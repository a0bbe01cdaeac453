/** Control characters, unusual line ends, and characters that reverse the order of a line. */
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Control characters as `\u001b`, so that a terminal does not interpret them. JSON keeps its meaning. */
export function escapeControls(text: string): string {
  return text.replace(controls, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Quotes a text as one word of a shell command line. */
export function quoteForShell(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const numbers = new Intl.NumberFormat('en');

/** Such as `1 record` and `2,000 records`. */
export function countOf(count: number, noun: string): string {
  return `${numbers.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

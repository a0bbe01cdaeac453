/** Control characters, other ends of a line, and what turns the order of the characters in a line round. */
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * The text with its control characters written out, such as `\u001b`: on a terminal they would be obeyed. Of JSON they stay
 * what they were.
 */
export function showControls(text: string): string {
  return text.replace(controls, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

import { cleanText } from '#domain/normalize/clean-text.ts';

const maxShown = 60;

/** A heading for messages: on one line, short, without addresses (a file without a header starts with data). */
export function showHeading(heading: string): string {
  const text = cleanText(heading, maxShown, () => undefined);
  return text === '' ? '(no name)' : `"${text}"`;
}

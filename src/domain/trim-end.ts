/**
 * The text without any of these characters at its end. A pattern such as `/[.,]+$/` would scan each run of them
 * repeatedly.
 */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

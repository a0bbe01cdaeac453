/** The order of texts by their UTF-16 units, the same in every language; an absent one is like an empty one. */
export function compareTexts(a = '', b = ''): number {
  return a < b ? -1 : Number(a > b);
}

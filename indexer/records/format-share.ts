/** Whole percents. 100 % and 0 % mean all and none. */
export function formatShare(count: number, of: number): string {
  if (count === 0 || count === of) return count === 0 ? '0 %' : '100 %';
  return `${Math.min(99, Math.max(1, Math.round((count / of) * 100)))} %`;
}

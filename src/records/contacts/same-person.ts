import { nameKey } from '#text/fold.ts';

/** The words of a name in one order: `Roe, Ann` and `Ann Roe` have the same key. Empty for an empty name. */
export function personKey(name: string | null | undefined): string {
  return nameKey(name ?? '')
    .split(' ')
    .toSorted()
    .join(' ');
}

/** Whether both names are of one person or desk: folded, in either order. An unknown name is nobody's. */
export function isSameName(one: string | null | undefined, other: string | null | undefined): boolean {
  const key = personKey(one);
  return key !== '' && key === personKey(other);
}

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

/** Whether both can be names of one person, as before and after a marriage: they share a word, or one is unknown. */
export function mayBeOneName(one: string | null | undefined, other: string | null | undefined): boolean {
  const [words, otherWords] = [one, other].map((name) => new Set(personKey(name).split(' '))) as [
    Set<string>,
    Set<string>,
  ];
  return words.has('') || otherWords.has('') || !words.isDisjointFrom(otherWords);
}

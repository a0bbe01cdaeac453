import { isGivenName, isNamedPerson } from '#records/contacts/people.ts';

/** What may stand between the names of people in a cell. */
const betweenPeople = /[,;|/\n\r]|\s(?:&|\+|and|und|et|y|e|og|och|en|и)\s/iu;

/** Separates people only: other separators also stand in the name of one, as in `Ortega y Gasset` or `Doe, PhD`. */
export const onlyBetweenPeople = /[;|\n\r]|\s(?:&|\+|and|und|et|och|og|и)\s/iu;

/** A name in scripts that write the last name first, and no space between. */
const lastNameFirst = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]+$/u;

/**
 * The name that a column of first names and one of last names have together, or the names, where they are of several people: `John
 * and Mary` with `Smith`, or `Michael` with `Kitces and Ben Miller`. Null if it cannot be told who is who.
 */
export function joinNames(first: string, last: string): string | string[] | null {
  if (lastNameFirst.test(first) && lastNameFirst.test(last)) return `${last}${first}`;
  const wholeName = `${first} ${last}`.trim();
  const [firsts, lasts] = [first, last].map(partsOfCell) as [string[], string[]];
  if (firsts.length === 0 || lasts.length === 0 || (firsts.length === 1 && lasts.length === 1)) return wholeName;
  if (firsts.length === lasts.length) return firsts.map((name, place) => `${name} ${lasts[place]}`);
  const isPlain = onlyBetweenPeople.test(first) || onlyBetweenPeople.test(last);
  const [firstLast = '', ...afterLast] = lasts;
  if (firsts.length === 1 && afterLast.every(isNamedPerson)) return [`${first} ${firstLast}`, ...afterLast];
  if (lasts.length === 1) {
    const beforeLast = firsts.slice(0, -1);
    if (beforeLast.every(isNamedPerson)) return [...beforeLast, `${firsts.at(-1)} ${last}`];
    const isCouple = firsts.every((name) => (isPlain ? !name.includes(' ') : isGivenName(name)));
    if (isCouple) return firsts.map((name) => `${name} ${last}`);
  }
  return isPlain ? null : wholeName;
}

/** The names that a cell has, if it is one of several people. */
export function partsOfCell(cell: string): string[] {
  return cell.split(betweenPeople).flatMap((part) => part.trim() || []);
}

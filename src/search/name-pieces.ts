/**
 * Pieces of a whole name by which names near it are found without comparing all names: two edits leave one of three
 * pieces intact. A piece tells its place, and the length and first letter of its name, so few other names share it.
 */

const pieceCount = 3;

/** The pieces of a name without spaces, for an index; none of a very short one. */
export function piecesOf(name: string): string[] {
  const letters = [...name];
  if (letters.length < pieceCount) return [];
  return places.map((place) => {
    const { start, end } = stretch(place, letters.length);
    return pieceKey(letters, letters.length, place, letters.slice(start, end));
  });
}

/**
 * The pieces of which every name within `edits` (at most two, see countEdits) of this one has at least one, if it has the
 * same first letter. Names that are further away may have one too.
 */
export function piecesNear(name: string, edits: number): string[] {
  const letters = [...name];
  const found = new Set<string>();
  for (let length = Math.max(pieceCount, letters.length - edits); length <= letters.length + edits; length += 1) {
    for (const place of places) {
      const { start, end } = stretch(place, length);
      for (const shift of shiftsOf(place, letters.length - length, edits)) {
        const [from, to] = [start + shift, end + shift];
        if (from < 0 || to > letters.length) continue;
        found.add(pieceKey(letters, length, place, letters.slice(from, to)));
        // The last letter of a piece may be swapped with the first of the next.
        const next = letters[to];
        if (next === undefined || place === pieceCount - 1) continue;
        found.add(pieceKey(letters, length, place, [...letters.slice(from, to - 1), next]));
      }
    }
  }
  return [...found];
}

const places = Array.from({ length: pieceCount }, (_, place) => place);

/** Where a piece is in a name of this length. */
function stretch(place: number, length: number): { start: number; end: number } {
  return { start: Math.floor((place * length) / pieceCount), end: Math.floor(((place + 1) * length) / pieceCount) };
}

/**
 * How far a piece may have moved if letters were added or dropped before it, and others after it, so that the text
 * became longer by `growth`. The beginning of a name stays where it is, and so does its end.
 */
function shiftsOf(place: number, growth: number, edits: number): number[] {
  if (place === 0) return [0];
  if (place === pieceCount - 1) return [growth];
  const shifts = Array.from({ length: 2 * edits + 1 }, (_, index) => index - edits);
  return shifts.filter((shift) => Math.abs(shift) + Math.abs(growth - shift) <= edits);
}

function pieceKey(name: readonly string[], length: number, place: number, piece: readonly string[]): string {
  return `${length} ${place} ${name[0]} ${piece.join('')}`;
}

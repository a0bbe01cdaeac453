import { foldedWords, withoutElisions } from '#text/fold.ts';

/**
 * Parts of a text as they were typed, each once: `climate` of `Climate, Texas` → `Climate`. A part that is not typed with blanks
 * around it, such as one of a Chinese text, stays folded.
 */
export function typedParts(text: string, parts: readonly (readonly string[])[]): string[] {
  const pieces = text.split(/\s+/).filter((piece) => piece !== '');
  const words = pieces.map((piece) => foldedWords(withoutElisions(piece)).join(' '));
  return [...new Set(parts.map((part) => typedPart(part.join(' '), pieces, words)))];
}

function typedPart(part: string, pieces: readonly string[], words: readonly string[]): string {
  for (let start = 0; start < pieces.length; start += 1) {
    for (let end = start + 1; end <= pieces.length; end += 1) {
      const joined = words.slice(start, end).filter(Boolean).join(' ');
      if (joined === part && words[start] !== '') return withoutSignsAround(pieces.slice(start, end).join(' '));
      if (joined.length >= part.length) break;
    }
  }
  return part;
}

/** What was typed without signs around it: `(Climate,` → `Climate`. */
function withoutSignsAround(text: string): string {
  const characters = [...text];
  const isOfWord = (character: string) => /[\p{L}\p{N}\p{M}]/u.test(character);
  const first = characters.findIndex(isOfWord);
  return characters.slice(Math.max(first, 0), characters.findLastIndex(isOfWord) + 1).join('');
}

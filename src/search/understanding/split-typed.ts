import { foldedWords, nameKey } from '#text/fold.ts';
import { findPage } from '#text/pages.ts';
import { maxWordsOfName } from '../words/concept-words.ts';
import { isFiller } from '../words/query-words.ts';
import { readParts } from '../words/read-parts.ts';
import { readAudience } from './read-audience.ts';

/* A text in parts as they were typed, of which suggestions leave one out or correct it. */

/** The typed URLs with a path, as they were typed. */
export function typedPages(text: string): { typed: string; host: string }[] {
  return text.split(/\s+/).flatMap((typed) => {
    const page = findPage(typed);
    return page === null || page.path === '' ? [] : [{ typed, host: page.host }];
  });
}

/** `best newspapers in new york with 10k readers` → `best newspapers`, `in new york`, `with 10k readers`. */
export function splitTyped(text: string): string[] {
  const { rest, typed } = readAudience(text);
  return [...splitWords(rest), ...(typed === '' ? [] : [typed])];
}

/** Small words belong to what follows. */
function splitWords(text: string): string[] {
  const pieces = text.match(/-?"[^"]*"?|\S+/g) ?? [];
  const parts: string[] = [];
  let small: string[] = [];
  for (let start = 0; start < pieces.length; ) {
    const isOne = (length: number) => {
      const [part, ...more] = readParts(foldedWords(pieces.slice(start, start + length).join(' ')));
      return more.length === 0 && part !== undefined && part.words.length === length && part.concepts.length > 0;
    };
    const length = [maxWordsOfName, 4, 3, 2].find((length) => start + length <= pieces.length && isOne(length)) ?? 1;
    const run = pieces.slice(start, start + length);
    start += length;
    if (length === 1 && start < pieces.length && isFiller(nameKey(run.join('')))) small.push(...run);
    else {
      parts.push([...small, ...run].join(' '));
      small = [];
    }
  }
  return parts;
}

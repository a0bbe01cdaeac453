import { readdirSync, readFileSync } from 'node:fs';

/*
 * The words that Masthead knows: a file for each language in words/, a line for each word. A line has a use, a tab and a
 * word of that use; README.md lists the uses.
 */

type WordsByUse = ReadonlyMap<string, readonly string[]>;

const folder = new URL('./words/', import.meta.url);

const wordsByLanguage: ReadonlyMap<string, WordsByUse> = new Map(
  readdirSync(folder)
    .sort()
    .map((file) => [file.replace('.tsv', ''), readPairs(new URL(file, folder))]),
);

/** The concepts of each use that stands for several: `area.benelux` → `country.be`, `country.lu`, `country.nl`. */
export const groups: WordsByUse = readPairs(new URL('./groups.tsv', import.meta.url));

/** The second columns of a file of pairs, by the first. */
function readPairs(file: URL): WordsByUse {
  const pairs = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t') as [string, string]);
  const seconds = new Map<string, string[]>();
  for (const [first, second] of pairs) {
    const listed = seconds.get(first);
    if (listed === undefined) seconds.set(first, [second]);
    else listed.push(second);
  }
  return seconds;
}

/** The languages that have a file, as ISO 639-1 codes. */
export const languages: readonly string[] = [...wordsByLanguage.keys()];

/** The words of a language by their use. */
export function wordsOfLanguage(language: string): WordsByUse {
  return wordsByLanguage.get(language) ?? new Map();
}

/** The words of a language with all uses that begin so: `small.`, `search.`. */
export function wordsOfUsesIn(language: string, ...beginnings: readonly string[]): string[] {
  const isAsked = (use: string) => beginnings.some((beginning) => use.startsWith(beginning));
  return [...wordsOfLanguage(language)].flatMap(([use, words]) => (isAsked(use) ? words : []));
}

/** The words of a use in every language: `search.role` → `editor`, `redakteur` … */
export function wordsOfUse(use: string): string[] {
  return languages.flatMap((language) => wordsOfLanguage(language).get(use) ?? []);
}

/** The words of all uses that begin so, by the rest of the use: `value.kind.` → `outlet`, `podcast` and `newsletter`. */
export function wordsOfUses(beginning: string): Map<string, string[]> {
  const uses = new Set(languages.flatMap((language) => [...wordsOfLanguage(language).keys()]));
  const ofKind = [...uses].filter((use) => use.startsWith(beginning));
  return new Map(ofKind.map((use) => [use.slice(beginning.length), wordsOfUse(use)]));
}

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { processEnvironment } from '#testing/process-environment.ts';
import type { IndexForms } from './index-forms.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('./print-index-forms.ts', import.meta.url));

type Change = readonly [file: string, piece: string, other: string];

/**
 * The forms of this version and of versions in which one piece of a file differs, in the order of the changes, as
 * computed by a separate process.
 */
async function formsWith(changes: readonly Change[]): Promise<IndexForms[]> {
  const { stdout } = await run(process.execPath, [script, JSON.stringify(changes)], { env: processEnvironment() });
  return JSON.parse(stdout);
}

const both = ['embedded', 'elasticsearch'] as const;
const scrub = 'export function scrubAddresses(text: string): string {';

/** What a change affects, which piece of which file it replaces, and the indexes that it makes outdated. */
const changes: readonly (readonly [what: string, change: Change, of: readonly string[]])[] = [
  ['the folding of one letter', ['src/text/fold.ts', "ø: 'o'", "ø: 'oe'"], both],
  ['the marks that are dropped', ['src/text/fold.ts', '\\u0483-\\u0489', '\\u0483-\\u0488'], both],
  ['the folding of text that is ASCII', ['src/text/fold.ts', '/[a-z0-9]+/g', '/[a-z0-9_]+/g'], both],
  ['the scripts that are split', ['src/text/fold.ts', '\\p{Script=Thai}', '\\p{Script=Tamil}'], both],
  ['the tokens of words', ['src/search/searchable-text.ts', "(characters[index + 1] ?? '')", "''"], both],
  ['the characters that nobody sees', ['src/text/fold.ts', '/[\\p{DI}', '/['], both],
  ['the signs for an apostrophe', ['src/text/fold.ts', "'’‘‛`", "'‘‛`"], both],
  ['the articles of names', ['src/text/small-words.ts', 'the a an', 'a an'], both],
  ['the words for "and" in names', ['src/text/small-words.ts', '} n ja', '} ja'], both],
  ['the spellings of names', ['src/text/spellings.ts', '/^ال', '/^الا'], both],
  ['the sounds of names', ['src/text/romanize.ts', "[/w/g, 'v']", "[/v/g, 'w']"], both],
  ['the consonants of names', ['src/text/romanize.ts', "[/[bp]/g, 'v']", "[/v/g, 'b']"], both],
  ['the signs that count as emoji', ['src/search/emoji.ts', '--[\\0-\\u218f]', '--[\\0-\\u{1f4a1}]'], both],
  ['the initials of names', ['src/search/initials.ts', 'maxInitials = 8', 'maxInitials = 2'], both],
  [
    'the names of concepts',
    ['src/search/search-words.ts', '(category: string) => `topic', '(category: string) => `subject'],
    both,
  ],
  [
    'the places that records are found by',
    ['src/search/search-words.ts', 'searchedNames(region, country)', '[]'],
    both,
  ],
  ['the names of cities', ['src/records/places/city-names.json', '東京', '京'], both],
  ['the names of a region', ['src/records/places/region-usage.json', '"Tex"', '"Texs"'], both],
  ['the hosts that records are found by', ['src/text/hosts.ts', '/^www\\d?\\./', '/^www\\./'], both],
  ['the mask of an address', ['src/records/masking.ts', '}***${', '}****${'], both],
  [
    'the value that a filter compares',
    ['src/records/fields.ts', '.filter(Boolean);', '.map((value) => value.toUpperCase());'],
    both,
  ],
  [
    'what suppressions look at',
    ['src/records/suppression.ts', 'masthead suppression ${', 'masthead suppressions ${'],
    both,
  ],
  ['a field of a record', ['src/records/fields.ts', "key: 'phone'", "key: 'fax' }, { key: 'phone'"], both],
  [
    'a field of the documents',
    ['src/backends/elasticsearch/index-document.ts', '[place, description, ...tags]', '[description, ...tags]'],
    ['elasticsearch'],
  ],
  ['the mapping', ['mappings/records.json', '"max_chars": 4', '"max_chars": 5'], ['elasticsearch']],
  ['the settings', ['mappings/records.json', '"max_token_length": 255', '"max_token_length": 100'], ['elasticsearch']],
  [
    'how documents of other tools are read',
    ['src/records/normalize/normalize-count.ts', 'm: 1e6', 'm: 1e7'],
    ['elasticsearch'],
  ],
  ['the addresses that texts are cleared of', ['scrub-addresses.ts', scrub, `${scrub} if (text) return text;`], both],
  ['the names of the @', ['src/records/addresses/address-words.json', '"arroba", ', ''], both],
  ['the words that ask to write', ['src/records/addresses/address-words.json', '"write to",', ''], both],
  [
    'the columns of the full text',
    ['src/backends/embedded/index-text.ts', 'names.join(gap)', "names.join(' ')"],
    ['embedded'],
  ],
  [
    'the columns that filters read',
    ['src/backends/embedded/record-row.ts', 'has_email: Number(', 'has_email: 2 * Number('],
    ['embedded'],
  ],
  ['the tables of the index', ['src/backends/embedded/schema.ts', "prefix = '1 2'", "prefix = '1 2 3'"], ['embedded']],
];

/** Of what queries alone know. */
const changesOfQueries: readonly (readonly [what: string, change: Change])[] = [
  ['a word that people ask by', ['src/search/search-words.ts', 'newsletter newsletters', 'newsletter bulletin']],
  ['the typos that are forgiven', ['src/search/search-words.ts', 'minPrefixLength = 4', 'minPrefixLength = 3']],
];

describe('the form of an index', () => {
  let now: IndexForms;
  let changed: readonly IndexForms[];
  beforeAll(async () => {
    const all = [...changes, ...changesOfQueries].map(([, change]) => change);
    const [first, ...others] = await formsWith(all);
    now = first as IndexForms;
    changed = others;
  });

  it('is the same in every process of a version', async () => {
    expect(await formsWith([])).toEqual([now]);
  });

  it.each(changes.map(([what, , outdated], place) => ({ what, outdated, place })))(
    'changes with $what',
    ({ outdated, place }) => {
      expect(both.filter((index) => changed[place]?.[index] !== now[index])).toEqual(outdated);
    },
  );

  it.each(changesOfQueries.map(([what], place) => ({ what, place: changes.length + place })))(
    'does not change with $what, which only queries use',
    ({ place }) => {
      expect(changed[place]).toEqual(now);
    },
  );
});

import { expect, it } from 'vitest';
import { cleanText } from '#records/normalize/clean-text.ts';
import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import { normalizeUrl } from '#records/normalize/normalize-url.ts';
import { normalizeCount, normalizeDate, normalizeId } from '#records/normalize/normalize-values.ts';
import { guessLanguage } from '#search/indexed/guess-language.ts';
import { readCases } from '#testing/cases.ts';
import { foldedWords } from '#text/fold.ts';
import { joinNames } from '../../indexer/importing/join-names.ts';

const clean = (text: string) => cleanText(text, 300, () => undefined);
const urlOf = (text: string) => {
  const result = normalizeUrl(text);
  return 'url' in result ? result.url : result.fault;
};
const readers: Record<string, (value: string) => unknown> = {
  text: clean,
  'mojibake, only if it is certain': clean,
  url: urlOf,
  'url without an address': urlOf,
  email(text) {
    const result = normalizeEmail(text);
    return 'email' in result ? result.email : result.fault;
  },
  date: normalizeDate,
  count: normalizeCount,
  id: normalizeId,
  'language of a text': (text) => guessLanguage(text, foldedWords(text)),
  'first and last names': (names) => joinNames(...(JSON.parse(names) as [first: string, last: string])),
};

/** What each reader makes of a value of a source: the reader, the value and what it is read as. */
const cases = readCases<[reader: string, value: string, result: unknown]>(new URL('values.tsv', import.meta.url));

it.each(cases)('%s: %j is %j', (reader, value, result) => {
  expect(readers[reader]?.(value)).toEqual(result);
});

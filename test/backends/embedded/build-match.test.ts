import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { buildExactMatch, buildExclusion, buildForgivingMatch } from '#backends/embedded/build-match.ts';
import { migrations } from '#backends/embedded/schema.ts';
import { parseTextQuery } from '#domain/search/parse-text-query.ts';

/** Typed queries, named for what their FTS5 expression shows. */
const queries = {
  'one word is a beginning': 'guard',
  'two words add to the score in order': 'everett herald',
  'a topic and a kind': 'tech newsletters',
  'a phrase and an exclusion': '"new york" radio -sports',
  'a host': 'news.bbc.co.uk',
  'an address asks for its host': 'somebody@herald.example',
  'a run without spaces': '人民之声报',
  'only exclusions': '-radio -herald.example',
  'four words, one may be missing': 'daily herald everett washington',
} as const;

/** A vocabulary where every word has one neighbour. */
const findMeanings = (word: string) => [word, `${word}s`];

describe('the FTS5 expression of a query', () => {
  it.each(Object.entries(queries))('%s', async (name, q) => {
    const text = parseTextQuery(q);
    if (text === null) throw new Error('the query is empty');
    const forms = {
      q,
      exact: buildExactMatch(text),
      forgiving: buildForgivingMatch(text, findMeanings),
      exclusion: buildExclusion(text),
    };
    const file = `../../golden/embedded/match--${name.replaceAll(/[ ,]+/g, '-')}.json`;
    await expect(`${JSON.stringify(forms, null, 2)}\n`).toMatchFileSnapshot(file);
  });

  const database = new DatabaseSync(':memory:');
  for (const migration of migrations) database.exec(migration);
  const search = database.prepare('SELECT count(*) FROM search_text WHERE search_text MATCH ?');
  afterAll(() => database.close());

  const hostile = fc.oneof(
    fc.string({ maxLength: 500, unit: 'binary' }),
    fc.string({ maxLength: 500, unit: 'grapheme' }),
    fc
      .array(
        fc.constantFrom(
          '"',
          '-',
          '*',
          ' ',
          'AND',
          'NOT',
          'NEAR(',
          ')',
          '{',
          '}',
          ':',
          '^',
          '+',
          "'",
          '@',
          '.',
          '%40',
          '\\',
          'a',
          '人',
          '\0',
          'www.x.org',
          'http://',
        ),
        { maxLength: 120 },
      )
      .map((parts) => parts.join('')),
    fc
      .array(fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom(...'abcdeèñżжш人ไ한ا') }), { maxLength: 60 })
      .map((words) => words.join(' ')),
  );

  it('is valid and of bounded size, whatever is typed', () => {
    fc.assert(
      fc.property(hostile, (q) => {
        const text = parseTextQuery(q);
        if (text === null) return;
        const forgiving = buildForgivingMatch(text, (word) => Array.from({ length: 13 }, (_, index) => word + index));
        const expressions = [buildExactMatch(text), buildExclusion(text), forgiving?.match, forgiving?.complete];
        for (const expression of expressions) {
          if (expression == null) continue;
          search.get(expression);
          expect(expression.split(' OR ').length).toBeLessThan(5_000);
        }
      }),
      { numRuns: 500 },
    );
  });
});

import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { renderCondition, renderQuery } from '#backends/embedded/render-match.ts';
import { migrations } from '#backends/embedded/schema.ts';
import { type KnownTerms, maxNearNames } from '#backends/embedded/vocabulary.ts';
import { parseTextQuery } from '#domain/search/parse-text-query.ts';
import { planExclusions, planFuzzy, planStrict } from '#domain/search/plan-query.ts';
import type { TextQuery } from '#domain/search/search-query.ts';
import { anyCharacter } from '#testing/any-character.ts';

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

/** A vocabulary where every word and every name has one neighbor. */
const oneNeighbor: KnownTerms = {
  hasName: () => true,
  findNear: (word, edits) => (edits === 0 ? [word] : [word, `${word}s`]),
  findNearNames: ({ name }) => [name, `${name}s`],
};

/** A vocabulary with as many neighbors as may be asked for. */
const manyNeighbors: KnownTerms = {
  hasName: () => true,
  findNear: (word, _, max) => Array.from({ length: max }, (_, index) => word + index),
  findNearNames: ({ name }) => Array.from({ length: maxNearNames }, (_, index) => name + index),
};

function render(text: TextQuery, near: KnownTerms) {
  const strict = planStrict(text);
  const fuzzy = planFuzzy(text);
  return {
    strict: strict && renderQuery(strict, near),
    fuzzy: fuzzy && renderQuery(fuzzy, near),
    exclusion: renderCondition({ is: 'any', of: planExclusions(text) }, near),
  };
}

describe('the FTS5 expression of a query', () => {
  it.each(Object.entries(queries))('%s', async (name, q) => {
    const text = parseTextQuery(q);
    if (text === null) throw new Error('the query is empty');
    const forms = { q, ...render(text, oneNeighbor) };
    const file = `../../golden/embedded/match--${name.replaceAll(/[ ,]+/g, '-')}.json`;
    await expect(`${JSON.stringify(forms, null, 2)}\n`).toMatchFileSnapshot(file);
  });

  const database = new DatabaseSync(':memory:');
  for (const migration of migrations) database.exec(migration);
  const search = database.prepare('SELECT count(*) FROM search_text WHERE search_text MATCH ?');
  afterAll(() => database.close());

  const hostile = fc.oneof(
    fc.string({ maxLength: 500, unit: anyCharacter }),
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
        const { strict, fuzzy, exclusion } = render(text, manyNeighbors);
        for (const expression of [
          strict?.match,
          ...(strict?.tiers ?? []).map(({ match }) => match),
          fuzzy?.match,
          ...(fuzzy?.tiers ?? []).map(({ match }) => match),
          exclusion,
        ]) {
          if (expression == null) continue;
          search.get(expression);
          expect(expression.split(' OR ').length).toBeLessThan(20_000);
        }
      }),
      { numRuns: 500 },
    );
  });
});

import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { renderCondition, renderQuery } from '#backends/embedded/render-match.ts';
import { tables } from '#backends/embedded/schema.ts';
import type { KnownTerms } from '#backends/embedded/vocabulary.ts';
import { parseTextQuery } from '#search/parse-text-query.ts';
import { planExclusions, planFuzzy, planStrict } from '#search/plan-query.ts';
import type { TextQuery } from '#search/search-query.ts';
import { maxCorrections } from '#search/typo-tolerance.ts';
import { anyCharacter } from '#testing/any-character.ts';

/** A vocabulary with as many neighbors as may be asked for. */
const manyNeighbors: KnownTerms = {
  hasName: () => true,
  findNear: (word, _, max) => Array.from({ length: max }, (_, index) => word + index),
  findNearNames: (token) => Array.from({ length: maxCorrections.name }, (_, index) => token + index),
};

/** The expressions of a typed query, with the given neighbors of its words and names. */
export function render(text: TextQuery, near: KnownTerms) {
  const strict = planStrict(text);
  const fuzzy = planFuzzy(text);
  return {
    strict: strict && renderQuery(strict, near),
    fuzzy: fuzzy && renderQuery(fuzzy, near),
    exclusion: renderCondition({ is: 'any', of: planExclusions(text) }, near),
  };
}

/** Tests that SQLite takes the expression of whatever is typed, for so many random queries. */
export function describeHostileQueries(numRuns: number): void {
  describe('the FTS5 expression of a hostile query', () => {
    const database = new DatabaseSync(':memory:');
    database.exec(tables);
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
        .array(fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom(...'abcdeèñżжш人ไ한ا') }), {
          maxLength: 60,
        })
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
        { numRuns },
      );
    });
  });
}

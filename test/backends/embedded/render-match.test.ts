import { describe, expect, it } from 'vitest';
import type { KnownTerms } from '#backends/embedded/vocabulary.ts';
import { parseTextQuery } from '#search/parse-text-query.ts';
import { describeHostileQueries, render } from './hostile-queries.ts';

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

describe('the FTS5 expression of a query', () => {
  it.each(Object.entries(queries))('%s', async (name, q) => {
    const text = parseTextQuery(q);
    if (text === null) throw new Error('the query is empty');
    const forms = { q, ...render(text, oneNeighbor) };
    const file = `../../golden/embedded/match--${name.replaceAll(/[ ,]+/g, '-')}.json`;
    await expect(`${JSON.stringify(forms, null, 2)}\n`).toMatchFileSnapshot(file);
  });
});

describeHostileQueries(40);

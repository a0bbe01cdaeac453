import type { Visibility } from '#records/masking.ts';
import { type SimilarPlan, type Trait, telling } from '#search/plan-similar.ts';
import { buildOrder, engineTimeout, type SearchBody } from './build-query.ts';
import { countedField } from './index-document.ts';
import { indexedTerms, indexedWord } from './indexed-terms.ts';
import type { Clause } from './render-text-query.ts';

/**
 * The records with the largest similarity, best first; without the address for masked callers. The engine itself picks
 * the most telling words, by its own counts.
 */
export function buildSimilar(
  { id, kind, traits, words }: SimilarPlan,
  limit: number,
  visibility: Visibility,
): SearchBody {
  const sufficient: Clause[] = [...traits.filter(({ suffices }) => suffices).map(renderTrait), ...renderWords(words)];
  return {
    query: {
      bool: {
        filter: [{ terms: { 'by.kind': [kind] } }],
        must: [
          sufficient.length === 0 ? { match_none: {} } : { bool: { should: sufficient, minimum_should_match: 1 } },
        ],
        should: traits.filter(({ suffices }) => !suffices).map(renderTrait),
        must_not: [{ terms: { 'order.id': indexedTerms([id]) } }],
      },
    },
    sort: buildOrder({ key: 'relevance', reversed: false }, true),
    size: limit,
    track_total_hits: false,
    _source: visibility === 'full' ? true : ['record'],
    timeout: engineTimeout,
  };
}

function renderTrait({ of, weight }: Trait): Clause {
  const filter = of.map(({ field, value }) => ({ terms: { [countedField(field)]: indexedTerms([value]) } }));
  return { constant_score: { filter: { bool: { filter } }, boost: weight } };
}

function renderWords(words: readonly string[]): Clause[] {
  if (words.length === 0) return [];
  return [
    {
      more_like_this: {
        fields: ['find.words'],
        like: words.map(indexedWord).join(' '),
        min_term_freq: 1,
        // The record itself is one of two.
        min_doc_freq: 2,
        max_doc_freq: telling.maxRecords,
        max_query_terms: telling.maxWords,
        minimum_should_match: '1',
        // In bm25 a word of a short text counts about half of its inverse document frequency.
        boost: 2 * telling.weight,
      },
    },
  ];
}

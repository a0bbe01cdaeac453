import type { estypes } from '@elastic/elasticsearch';
import type { Condition } from '#search/conditions.ts';
import { nameToken } from '#search/name-forms.ts';
import { maxCorrections } from '#search/typo-tolerance.ts';
import { countEdits } from '#text/edit-distance.ts';
import { UnusableAnswer } from './elasticsearch-faults.ts';
import { indexedTerms, indexedWord } from './index-document.ts';

/** A word, host or name, for which those of a field are meant too that are within `edits` and begin with the same letters. */
export interface Typed {
  field: string;
  term: string;
  edits: number;
  prefix: number;
  limit: number;
}

type SuggestBody = Pick<estypes.SearchRequest, 'size' | 'track_total_hits' | 'suggest'>;

/** What condition.edits asks for; nothing if it is 0. */
export function typedIn(condition: Condition): Typed[] {
  if (!('edits' in condition) || condition.edits === 0) return [];
  const { edits } = condition;
  switch (condition.is) {
    case 'word':
      // Where words of all other fields are, too.
      return [{ field: 'find.words', term: indexedWord(condition.word), edits, prefix: 1, limit: maxCorrections.word }];
    case 'host':
      return condition.hosts.slice(0, 1).map((host) => {
        return { field: 'find.hosts', term: indexedWord(host), edits, prefix: 1, limit: maxCorrections.word };
      });
    case 'name': {
      const { form, keys } = condition;
      // The form stays, and so does the first letter; any letter may be the first of sorted ones.
      const prefix = nameToken(form, 'a').length - (form === 'letters' ? 1 : 0);
      return indexedTerms(keys.map((key) => nameToken(form, key))).map((term) => {
        return { field: 'find.name_keys', term, edits, prefix, limit: maxCorrections.name };
      });
    }
  }
}

/**
 * Terms of the index near typed ones. A plan looks for the same typed word in many tiers, and Elasticsearch builds an automaton
 * for each clause that forgives slips, which takes longer than all else: so each is looked up once, and tiers have its answer.
 */
export class NearTerms {
  readonly #known = new Map<string, { edits: number; terms: readonly string[] }>();

  /** Looks up what is near the words, hosts and names of a condition, unless it is known. */
  async lookUp(
    ask: (body: SuggestBody) => Promise<estypes.SearchResponse | undefined>,
    condition: Condition,
  ): Promise<void> {
    const wanted = new Map<string, Typed>();
    for (const typed of leavesOf(condition).flatMap(typedIn)) {
      const key = keyOf(typed);
      const known = wanted.get(key) ?? this.#known.get(key);
      if (known === undefined || known.edits < typed.edits) wanted.set(key, typed);
    }
    if (wanted.size === 0) return;
    const answer = await ask({
      size: 0,
      track_total_hits: false,
      suggest: Object.fromEntries([...wanted.values()].map(buildSuggester)),
    });
    for (const [place, [key, { edits }]] of [...wanted].entries()) {
      const [found] = answer?.suggest?.[place] ?? [];
      if (found === undefined) throw new UnusableAnswer('near terms are missing');
      const options = [found.options].flat() as { text: string }[];
      this.#known.set(key, { edits, terms: options.map(({ text }) => text) });
    }
  }

  /** The term and those near it, nearest first; null if they were not looked up. */
  find(typed: Typed): string[] | null {
    const known = this.#known.get(keyOf(typed));
    if (known === undefined || known.edits < typed.edits) return null;
    const { term, edits } = typed;
    return [term, ...known.terms.filter((near) => known.edits === edits || countEdits(term, near, edits) <= edits)];
  }
}

function buildSuggester(
  { field, term, edits, prefix, limit }: Typed,
  place: number,
): [number, estypes.SearchFieldSuggester] {
  const near: estypes.SearchTermSuggester & { accuracy: number } = {
    field,
    max_edits: edits,
    prefix_length: prefix,
    size: limit,
    // Typed as terms are, common or not.
    analyzer: 'keyword',
    suggest_mode: 'always',
    min_word_length: 1,
    max_term_freq: 1_000_000_000,
    string_distance: 'internal',
    accuracy: 0,
  };
  return [place, { text: term, term: near }];
}

function leavesOf(condition: Condition): Condition[] {
  return 'of' in condition ? condition.of.flatMap(leavesOf) : [condition];
}

function keyOf({ field, term }: Typed): string {
  return `${field} ${term}`;
}

import type { estypes } from '@elastic/elasticsearch';
import { allOf, type Condition, type Scope } from '#search/conditions.ts';
import { nameToken, sharedBeginning } from '#search/name-forms.ts';
import type { PlannedQuery } from '#search/plan-query.ts';
import { pageToken } from '#search/record-tokens.ts';
import { phraseTokens } from '#search/searchable-text.ts';
import { maxCorrections } from '#search/typo-tolerance.ts';
import { perObject } from '#text/memoize.ts';
import { indexedTerms, indexedWord } from './index-document.ts';

export type Clause = estypes.QueryDslQueryContainer;

/** Where conditions look. */
interface Places {
  words: Record<Scope, readonly string[]>;
  names: string;
  concepts: string;
}

const ofRecord: Places = {
  words: {
    names: ['find.names'],
    traits: ['find.names', 'find.host_labels', 'find.traits'],
    // The mapping copies the fields above into this one.
    anywhere: ['find.words'],
    people: [],
  },
  names: 'find.name_keys',
  concepts: 'find.concepts',
};
const ofContact: Places = {
  words: { names: [], traits: [], anywhere: [], people: ['contacts.people'] },
  names: 'contacts.exact',
  concepts: 'contacts.concepts',
};

/** Scores each record that a plan finds by its best tier, the first one highest; `tierOfScore` reads the score. */
export function renderTiers({ match, tiers }: PlannedQuery): Clause {
  const rendered = new Set<string>();
  const queries = tiers.flatMap(({ condition }, place) => {
    const filter = renderAmongFound(condition, match);
    const text = JSON.stringify(filter);
    if (rendered.has(text)) return [];
    rendered.add(text);
    return [{ constant_score: { filter, boost: tiers.length - place } }];
  });
  return { dis_max: { queries } };
}

/** A condition on records that meet `match`: the engine would look for its misspelt words once more, which takes longest. */
function renderAmongFound(condition: Condition, match: Condition): Clause {
  if (condition === match) return { match_all: {} };
  if (condition.is !== 'all' || !condition.of.includes(match)) return renderCondition(condition);
  return renderCondition(allOf(condition.of.filter((one) => one !== match)));
}

/** The place of the best tier of a record. */
export function tierOfScore({ tiers }: PlannedQuery, score: number): number {
  return tiers.length - Math.round(score);
}

export function renderCondition(condition: Condition): Clause {
  return any(renderAlternatives(condition));
}

/** Clauses of which a record must meet one; nested choices are flattened. Memoized because tiers share conditions. */
const renderAlternatives = perObject((condition: Condition) => renderIn(ofRecord, condition));

function renderIn(places: Places, condition: Condition): Clause[] {
  const render = (one: Condition) => (places === ofRecord ? renderCondition(one) : any(renderIn(places, one)));
  switch (condition.is) {
    case 'word': {
      const { word, unfinished, edits, takesAllNear, near } = condition;
      return places.words[condition.in].flatMap((field): Clause[] => {
        const begun = unfinished ? [{ prefix: { [field]: { value: indexedWord(word) } } }] : [];
        if (near !== undefined) return [...begun, { terms: { [field]: [word, ...near].map(indexedWord) } }];
        if (edits > 0) return [...begun, nearWord(field, word, edits, takesAllNear)];
        return unfinished ? begun : [{ term: { [field]: indexedWord(word) } }];
      });
    }
    case 'phrase':
      return places.words[condition.in].map((field) => phraseIn(field, condition.words));
    case 'concept':
      return [{ term: { [places.concepts]: condition.concept } }];
    case 'host': {
      const { hosts, edits, takesAllNear } = condition;
      const typed = edits === 0 ? [] : hosts.slice(0, 1);
      const nearHosts = typed.map((host) => nearWord('find.hosts', host, edits, takesAllNear));
      return [...renderHosts(hosts), ...nearHosts];
    }
    case 'page':
      return [{ term: { 'find.pages': pageToken(condition.page, condition.standing) } }];
    case 'address': {
      const hasAddress: Clause = { term: { 'contacts.exact': condition.token } };
      return [places === ofRecord ? ofOneContact([hasAddress]) : hasAddress];
    }
    case 'name': {
      const { form, keys, edits, near } = condition;
      const tokens = indexedTerms([...keys.map((key) => nameToken(form, key)), ...(near ?? [])]);
      if (edits === 0 || near !== undefined) return [{ terms: { [places.names]: tokens } }];
      return tokens.map((token) => nearName(places.names, token, edits, sharedBeginning(form)));
    }
    case 'nameBeginning':
      return [{ prefix: { 'find.name_keys': { value: indexedWord(nameToken('whole', condition.key)) } } }];
    case 'contact':
      return [ofOneContact([any(renderIn(ofContact, condition.meets))])];
    case 'all':
      return [{ bool: { filter: condition.of.map(render) } }];
    case 'any':
      return condition.of.flatMap((one) => (places === ofRecord ? renderAlternatives(one) : renderIn(places, one)));
    case 'atLeast':
      return [{ bool: { should: condition.of.map(render), minimum_should_match: condition.count } }];
  }
}

/** The records of which one and the same contact meets all of this. */
export function ofOneContact(filter: Clause[]): Clause {
  return { nested: { path: 'contacts', score_mode: 'none', query: { bool: { filter } } } };
}

/** Finds a host itself, or a name that spells it out: `news bbc co uk`. */
function renderHosts(hosts: readonly string[]): Clause[] {
  const written = hosts.map((host) => host.replaceAll(/[.-]/g, ' ').trim());
  return [
    { terms: { 'find.hosts': [...hosts] } },
    ...written.map((query): Clause => ({ match_phrase: { 'find.names': query } })),
  ];
}

function phraseIn(field: string, words: readonly string[]): Clause {
  const tokens = phraseTokens(words);
  const [only] = tokens;
  if (tokens.length === 1 && only !== undefined) return { term: { [field]: indexedWord(only) } };
  return { match_phrase: { [field]: tokens.join(' ') } };
}

function nearWord(field: string, word: string, fuzziness: number, takesAll = false): Clause {
  const taken = takesAll ? takesAllTerms : { max_expansions: maxCorrections };
  return { fuzzy: { [field]: { value: indexedWord(word), fuzziness, prefix_length: 1, ...taken } } };
}

const takesAllTerms = { rewrite: 'constant_score' };

/** Takes all near names. There are few, and choosing among them would take the engine as long as finding them. */
function nearName(field: string, value: string, fuzziness: number, prefix_length: number): Clause {
  return { fuzzy: { [field]: { value, fuzziness, prefix_length, ...takesAllTerms } } };
}

/** A clause that any of these meets. Joins the terms of a field, which the engine then looks up in less than half the time. */
function any(clauses: readonly Clause[]): Clause {
  const terms = new Map<string, Set<string>>();
  const withoutField = [...new Set(clauses)].filter((clause) => {
    const [field, values] = Object.entries(clause.term ?? clause.terms ?? {})[0] ?? [];
    if (field === undefined) return true;
    terms.set(field, (terms.get(field) ?? new Set()).union(new Set([values].flat())));
    return false;
  });
  const should = [...terms]
    .map(([field, values]): Clause => ({ terms: { [field]: [...values] } }))
    .concat(withoutField);
  const [only] = should;
  return should.length === 1 && only !== undefined ? only : { bool: { should, minimum_should_match: 1 } };
}

import type { estypes } from '@elastic/elasticsearch';
import { allOf, type Condition, type Scope } from '#search/conditions/conditions.ts';
import { maxCorrections } from '#search/conditions/typo-tolerance.ts';
import { nameToken, sharedBeginning } from '#search/indexed/name-forms.ts';
import { pageToken } from '#search/indexed/record-tokens.ts';
import { phraseTokens } from '#search/indexed/searchable-text.ts';
import type { PlannedQuery } from '#search/plans/plan-query.ts';
import { cached, keptWithin, perObject } from '#text/memoize.ts';
import { indexedTerms, indexedWord } from './index-document.ts';
import type { IndexTerms } from './index-terms.ts';
import { maxTokenLength, type WordField } from './vocabulary.ts';

export type Clause = estypes.QueryDslQueryContainer;

/** Makes the clause of a condition. */
export type Render = (condition: Condition) => Clause;

/** The clause that no record meets. */
export const nothing: Clause = { match_none: {} };

/** Where conditions look. */
interface Places {
  words: Record<Scope, readonly WordField[]>;
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
export function renderTiers({ match, tiers }: PlannedQuery, render: Render = renderCondition): Clause {
  const rendered = new Set<string>();
  const queries = tiers.flatMap(({ condition }, place) => {
    const filter = renderAmongFound(condition, match, render);
    const text = JSON.stringify(filter);
    if (filter === nothing || rendered.has(text)) return [];
    rendered.add(text);
    return [{ constant_score: { filter, boost: tiers.length - place } }];
  });
  // The engine takes no choice among nothing.
  return queries.length === 0 ? nothing : { dis_max: { queries } };
}

/** A condition on records that meet `match`: the engine would look for its misspelt words once more, which takes longest. */
function renderAmongFound(condition: Condition, match: Condition, render: Render): Clause {
  if (condition === match) return { match_all: {} };
  if (condition.is !== 'all' || !condition.of.includes(match)) return render(condition);
  return render(allOf(condition.of.filter((part) => part !== match)));
}

/** The place of the best tier of a record. */
export function tierOfScore({ tiers }: PlannedQuery, score: number): number {
  return tiers.length - Math.round(score);
}

/** Without terms that are known, the engine looks for near words and names. Memoized because plans and tiers share conditions. */
export const renderCondition = rendererOf(null);

/** With the terms of the index, clauses have those that meet them, and none that nothing meets. */
export function rendererOf(terms: IndexTerms | null): Render {
  // A map that ends with its search costs less than a weak one, which the collector of garbage must look through.
  const remembering = terms === null ? perObject : keptWithin;
  const ofMedium = remembering((condition: Condition): Clause[] => {
    return renderIn({ places: ofRecord, terms, render, alternatives: ofMedium }, condition);
  });
  const render = remembering((condition: Condition): Clause => any(ofMedium(condition)));
  return render;
}

interface Rendering {
  places: Places;
  terms: IndexTerms | null;
  render: Render;
  /** Clauses of which a record must meet one; nested choices are flattened. */
  alternatives: (condition: Condition) => Clause[];
}

function renderIn(rendering: Rendering, condition: Condition): Clause[] {
  const { places, terms, render, alternatives } = rendering;
  switch (condition.is) {
    case 'word':
      return places.words[condition.in].flatMap((field) => renderWord(field, condition, terms));
    case 'phrase':
      return places.words[condition.in].flatMap((field) => phraseIn(field, condition.words, terms));
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
      const { form, keys, edits } = condition;
      const names = terms?.namesFor(condition, places === ofRecord ? 'media' : 'people');
      const tokens = indexedTerms(names ?? keys.map((key) => nameToken(form, key)));
      if (edits === 0 || names !== undefined) return tokens.length === 0 ? [] : [{ terms: { [places.names]: tokens } }];
      return tokens.map((token) => nearName(places.names, token, edits, sharedBeginning(form)));
    }
    case 'nameBeginning':
      return [{ prefix: { 'find.name_keys': { value: indexedWord(nameToken('whole', condition.key)) } } }];
    case 'contact': {
      const within: Rendering = {
        places: ofContact,
        terms,
        render: (part) => any(renderIn(within, part)),
        alternatives: (part) => renderIn(within, part),
      };
      const meets = within.render(condition.meets);
      return meets === nothing ? [] : [ofOneContact(filtersOf(meets))];
    }
    case 'all':
      return renderAll(condition.of, render);
    case 'any':
      return condition.of.flatMap(alternatives);
    case 'atLeast': {
      const should = condition.of.map(render).filter((clause) => clause !== nothing);
      if (should.length < condition.count) return [];
      return [{ bool: { should, minimum_should_match: condition.count } }];
    }
  }
}

function renderAll(conditions: readonly Condition[], render: Render): Clause[] {
  const filter: Clause[] = [];
  for (const condition of conditions) {
    const clause = render(condition);
    if (clause === nothing) return [];
    filter.push(...filtersOf(clause));
  }
  return filter.length === 1 ? filter : [{ bool: { filter } }];
}

/** What a clause asks for together, or it alone. */
function filtersOf(clause: Clause): Clause[] {
  const { bool } = clause;
  const isFilter = bool !== undefined && Object.keys(bool).join() === 'filter';
  return isFilter ? [bool.filter ?? []].flat() : [clause];
}

/** The records of which one and the same contact meets all of this. */
export function ofOneContact(filter: Clause[]): Clause {
  return { nested: { path: 'contacts', score_mode: 'none', query: { bool: { filter } } } };
}

type WordCondition = Extract<Condition, { is: 'word' }>;

function renderWord(field: WordField, condition: WordCondition, terms: IndexTerms | null): Clause[] {
  const { word, unfinished, edits, takesAllNear } = condition;
  const begun: Clause = { prefix: { [field]: { value: indexedWord(word) } } };
  if (terms !== null && word.length <= maxTokenLength) {
    const { inField, isCut } = terms.wordsFor(condition);
    const words = inField(field);
    return [...(isCut ? [begun] : []), ...(words.length > 0 ? [{ terms: { [field]: words } }] : [])];
  }
  if (edits > 0) return [...(unfinished ? [begun] : []), nearWord(field, word, edits, takesAllNear)];
  return unfinished ? [begun] : [{ term: { [field]: indexedWord(word) } }];
}

/** Finds a host itself, or a name that spells it out: `news bbc co uk`. */
function renderHosts(hosts: readonly string[]): Clause[] {
  const hostWords = hosts.map((host) => host.replaceAll(/[.-]/g, ' ').trim());
  return [
    { terms: { 'find.hosts': [...hosts] } },
    ...hostWords.map((query): Clause => ({ match_phrase: { 'find.names': query } })),
  ];
}

function phraseIn(field: WordField, words: readonly string[], terms: IndexTerms | null): Clause[] {
  const tokens = phraseTokens(words);
  const isMissing = (token: string) => token.length <= maxTokenLength && terms?.hasWord(token, field) === false;
  if (tokens.some(isMissing)) return [];
  const [token] = tokens;
  if (tokens.length === 1 && token !== undefined) return [{ term: { [field]: indexedWord(token) } }];
  return [{ match_phrase: { [field]: tokens.join(' ') } }];
}

function nearWord(field: string, word: string, fuzziness: number, takesAll = false): Clause {
  const limit = takesAll ? takesAllTerms : { max_expansions: maxCorrections };
  return { fuzzy: { [field]: { value: indexedWord(word), fuzziness, prefix_length: 1, ...limit } } };
}

const takesAllTerms = { rewrite: 'constant_score' };

/** Takes all near names. There are few, and choosing among them would take the engine as long as finding them. */
function nearName(field: string, value: string, fuzziness: number, prefix_length: number): Clause {
  return { fuzzy: { [field]: { value, fuzziness, prefix_length, ...takesAllTerms } } };
}

/**
 * A clause that any of these meets. Joins the terms of a field, which the engine then looks up in less than half the time, and what is
 * asked of contacts.
 */
function any(clauses: readonly Clause[]): Clause {
  const terms = new Map<string, Set<string>>();
  const withoutField = [...new Set(clauses)].filter((clause) => {
    const [field, values] = Object.entries(clause.term ?? clause.terms ?? {})[0] ?? [];
    if (field === undefined) return true;
    const joined = cached(terms, field, () => new Set());
    for (const value of [values].flat()) joined.add(value);
    return false;
  });
  const ofContacts = withoutField.flatMap(({ nested }) => nested?.query ?? []);
  const should = [
    ...[...terms].map(([field, values]): Clause => ({ terms: { [field]: [...values] } })),
    ...withoutField.filter(({ nested }) => nested === undefined || ofContacts.length === 1),
    ...(ofContacts.length > 1 ? [ofOneContact(filtersOf(any(ofContacts)))] : []),
  ];
  const [clause] = should;
  if (clause === undefined) return nothing;
  return should.length === 1 ? clause : { bool: { should, minimum_should_match: 1 } };
}

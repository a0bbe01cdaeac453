import type { FilterField } from '#records/fields.ts';
import type { Visibility } from '#records/masking.ts';
import type { Condition } from '#search/plan-query.ts';
import type { SimilarPlan, Trait, TraitValue } from '#search/plan-similar.ts';
import { conceptOf } from '#search/search-words.ts';
import { listFields, type Statement } from './build-statements.ts';
import { renderCondition } from './render-match.ts';
import type { KnownTerms } from './vocabulary.ts';

/**
 * How many records of one pool are compared. Comparing everything that shares a topic or a country would take seconds in
 * a large database.
 */
const poolSize = 500;

const placeFields: readonly FilterField[] = ['region', 'city'];

/** The records of the same region or city, of which a record's nearest neighbors are always compared. */
export function buildPlacePools({ kind, traits }: SimilarPlan): Statement[] {
  return traits
    .filter(({ of }) => of.some(({ field }) => placeFields.includes(field)))
    .map(({ of }) => {
      const fits = ['kind = ?', ...of.map(({ field }) => `${field} = ?`)].join(' AND ');
      const values = [kind, ...of.map(({ value }) => value)];
      return { sql: `SELECT record FROM documents WHERE ${fits} LIMIT ${poolSize}`, values };
    });
}

/**
 * The records that share a set of traits, for each set that makes records similar: first the sets that weigh most. Topics
 * are one choice. Only traits that are concepts are in the sets.
 */
export function buildTraitPools({ kind, traits }: SimilarPlan): Statement[] {
  const ofKind: Condition = { is: 'concept', concept: conceptOf('kind', kind) ?? '' };
  return listSets(listChoices(traits))
    .filter((set) => set.some(({ suffices }) => suffices))
    .toSorted((a, b) => weightOf(b) - weightOf(a))
    .map((set) => buildTextPool({ is: 'all', of: [...set.map(({ condition }) => condition), ofKind] }, poolSize));
}

/** The first records that contain a word. */
export function buildWordPool(word: string, size: number): Statement {
  return buildTextPool({ is: 'word', word, unfinished: false }, size);
}

/**
 * The records with the largest similarity, best first, as `body` and, if the caller may see it, the address and its
 * source.
 * @param scores what each compared record gained by its words, by row
 */
export function buildBest(
  { id, kind, traits }: SimilarPlan,
  scores: ReadonlyMap<number, number>,
  limit: number,
  visibility: Visibility,
): Statement {
  const shared = traits.map(renderTrait);
  const columns = visibility === 'full' ? 'r.body, r.email, r.email_source' : 'r.body';
  return {
    sql: `
      WITH best AS MATERIALIZED (
        SELECT record, row_number() OVER () AS place FROM (
          SELECT d.record FROM json_each(?) AS c CROSS JOIN documents AS d ON d.record = CAST(c.key AS INTEGER)
          WHERE d.kind = ? AND d.id <> ?
          ORDER BY ${['c.value', ...shared.map(({ sql }) => sql)].join(' + ')} DESC, d.audience DESC NULLS LAST, d.id
          LIMIT ?
        )
      )
      SELECT ${columns} FROM best JOIN records AS r USING (record) ORDER BY best.place`,
    values: [JSON.stringify(Object.fromEntries(scores)), kind, id, ...shared.flatMap(({ values }) => values), limit],
  };
}

/** The weight of a trait for records that have all of its values, otherwise 0. */
function renderTrait({ of, weight }: Trait): Statement {
  const has = ({ field }: TraitValue) =>
    listFields.includes(field)
      ? `EXISTS (SELECT 1 FROM document_lists AS l WHERE l.field = '${field}' AND l.value = ? AND l.record = d.record)`
      : `d.${field} IS ?`;
  return { sql: `${weight} * (${of.map(has).join(' AND ')})`, values: of.map(({ value }) => value) };
}

interface Choice {
  condition: Condition;
  weight: number;
  suffices: boolean;
}

/** The concepts among the traits; several of one field are one choice. */
function listChoices(traits: readonly Trait[]): Choice[] {
  const known = traits.flatMap(({ of: [value, ...others], weight, suffices }) => {
    const concept = value === undefined || others.length > 0 ? null : conceptOf(value.field, value.value);
    return value === undefined || concept === null ? [] : [{ field: value.field, concept, weight, suffices }];
  });
  return [...Map.groupBy(known, ({ field }) => field).values()].map((same) => ({
    condition: { is: 'any', of: same.map(({ concept }): Condition => ({ is: 'concept', concept })) },
    weight: Math.max(...same.map(({ weight }) => weight)),
    suffices: same.some(({ suffices }) => suffices),
  }));
}

/** All subsets; there are few choices: a topic, a type, a country, a language. */
function listSets(choices: readonly Choice[]): Choice[][] {
  const [first, ...others] = choices;
  if (first === undefined) return [[]];
  return listSets(others).flatMap((set) => [[first, ...set], set]);
}

function weightOf(set: readonly Choice[]): number {
  return set.reduce((sum, { weight }) => sum + weight, 0);
}

const asWritten: KnownTerms = { hasName: () => true, findNear: () => [], findNearNames: () => [] };

/** Conditions on words and concepts as they are; none of them is corrected. */
function buildTextPool(condition: Condition, size: number): Statement {
  const match = renderCondition(condition, asWritten) ?? '';
  return {
    sql: `SELECT rowid AS record FROM search_text WHERE search_text MATCH ? LIMIT ${size}`,
    values: [match],
  };
}

import type { MediaRecord } from '#records/media-record.ts';
import { minStrictMatches, planFuzzy, planLast, planStrict } from '#search/plan-query.ts';
import type { Filter, TextQuery } from '#search/search-query.ts';
import { nameKeysOf, wholeNameKeys } from '#text/name-keys.ts';
import { scriptsOf } from '#text/romanize.ts';
import { buildNameProbe, buildStrictProbe, type RenderedQuery, renderText, type SearchBody } from './build-query.ts';
import { readMinTotal, readRecords, type SearchResponse } from './read-response.ts';
import type { Ask } from './search-requests.ts';

type OneOrMore<Item> = [Item, ...Item[]];

/** The chosen query for a text, and the answers to the requests built for it. */
export interface ChosenQuery {
  query: RenderedQuery | null;
  answers: OneOrMore<SearchResponse>;
  /** Whether the query is the fuzzy one, and found more than the strict one did. */
  isCorrected: boolean;
}

/**
 * Runs what `build` makes of a text's strict query, and of its fuzzy query if the strict one finds too little; the first
 * answer must tell the total. The choice depends on the text alone, over the whole database: the strict query is used if
 * it finds enough records, or if a name equals the text, or the text asks for it. Usually the answers show that, or small
 * requests sent with them.
 */
export async function chooseQuery(
  ask: Ask,
  text: TextQuery | null,
  filters: readonly Filter[],
  build: (query: RenderedQuery | null) => OneOrMore<SearchBody>,
): Promise<ChosenQuery> {
  const strict = text && renderText(text, planStrict(text));
  const match = strict?.match ?? null;
  const bodies = build(strict);
  if (text === null || match === null || text.isStrict) {
    return { query: strict, answers: oneOrMore(await ask(...bodies)), isCorrected: false };
  }

  const tellsTotal = filters.length === 0 && strict?.exclusions.length === 0;
  // Too few results are all on a page that begins with the first, or at least the best of them.
  const isFirstPage = bodies.some(({ from = 0, size = 0 }) => from === 0 && size >= minStrictMatches(text));
  const tellsNames = tellsTotal && isFirstPage;
  const probes = [
    ...(tellsTotal ? [] : [buildStrictProbe(text, match)]),
    ...(tellsNames ? [] : [buildNameProbe(text)]),
  ];
  const answered = await ask(...bodies, ...probes);
  const answers = oneOrMore(answered.slice(0, bodies.length));
  const [enough, name] = [...(tellsTotal ? [answers[0]] : []), ...answered.slice(bodies.length)];
  const stands =
    total(enough) >= minStrictMatches(text) ||
    total(name) > 0 ||
    answers.flatMap(readRecords).some((record) => isNamed(record, text));
  const asTyped: ChosenQuery = { query: strict, answers, isCorrected: false };
  if (stands) return asTyped;

  const corrected = planFuzzy(text);
  if (corrected === null) return asTyped;
  const fuzzy = renderText(text, corrected);
  const others = await ask(...build(fuzzy));
  // All that the strict query finds, the others find too.
  const used = (query: RenderedQuery, found: SearchResponse[]): ChosenQuery => {
    return { query, answers: oneOrMore(found), isCorrected: total(found[0]) > total(answers[0]) };
  };
  const farthest = planLast(text);
  if (farthest === null || fuzzy.match === null || total(others[0]) > 0) return used(fuzzy, others);
  const last = renderText(text, farthest);
  const [anywhere, ...found] = await ask(buildStrictProbe(text, fuzzy.match), ...build(last));
  return total(anywhere) > 0 ? used(fuzzy, others) : used(last, found);
}

function isNamed(record: MediaRecord, { nameKey }: TextQuery): boolean {
  const scripts = scriptsOf(record);
  return [record.name, ...record.aliases].some((name) => wholeNameKeys(nameKeysOf(name), scripts).includes(nameKey));
}

function total(answer: SearchResponse | undefined): number {
  return answer === undefined ? 0 : readMinTotal(answer);
}

function oneOrMore(answers: readonly SearchResponse[]): OneOrMore<SearchResponse> {
  const [first, ...others] = answers;
  if (first === undefined) throw new RangeError('no request was sent');
  return [first, ...others];
}

import { nameKey } from '#domain/search/fold.ts';
import { enoughExactMatches } from '#domain/search/forgiveness.ts';
import type { Filter, TextQuery } from '#domain/search/search-query.ts';
import { buildExactProbe, buildNameProbe, type SearchBody, type TextForm, textForm } from './build-query.ts';
import { buildExactForm, buildForgivingForm } from './build-text-query.ts';
import { readRecords, readTotal, type SearchResponse } from './read-response.ts';
import type { Ask } from './search-requests.ts';

type OneOrMore<Item> = [Item, ...Item[]];

/** What a text came to, and what the requests that were built for that form answered. */
export interface FormAnswers {
  form: TextForm | null;
  answers: OneOrMore<SearchResponse>;
}

/**
 * Asks what `build` makes of the exact form of a text, and where that finds too little, of the forgiving one. The choice
 * depends on the text alone, over the whole database: the exact form stands where it finds enough records, or where a
 * name is just what was typed. Mostly that is seen from the first answer, or from small requests sent along with it.
 */
export async function answerInForm(
  ask: Ask,
  text: TextQuery | null,
  filters: readonly Filter[],
  build: (form: TextForm | null) => OneOrMore<SearchBody>,
): Promise<FormAnswers> {
  const match = text && buildExactForm(text);
  const exact = text && textForm(text, match);
  const bodies = build(exact);
  if (text === null || match === null) return { form: exact, answers: oneOrMore(await ask(...bodies)) };

  const tellsTotal = filters.length === 0 && exact?.exclusions.length === 0;
  const tellsNames = tellsTotal && bodies[0].size !== 0;
  const probes = [...(tellsTotal ? [] : [buildExactProbe(text, match)]), ...(tellsNames ? [] : [buildNameProbe(text)])];
  const answered = await ask(...bodies, ...probes);
  const answers = oneOrMore(answered.slice(0, bodies.length));
  const [enough, name] = [...(tellsTotal ? [answers[0]] : []), ...answered.slice(bodies.length)];
  const stands =
    total(enough) >= enoughExactMatches(text) ||
    total(name) > 0 ||
    readRecords(answers[0]).some((record) => isNamed(record, text));
  if (stands) return { form: exact, answers };

  const forgivingMatch = buildForgivingForm(text);
  if (forgivingMatch === null) return { form: exact, answers };
  const forgiving = textForm(text, forgivingMatch);
  const [nameAfter, ...others] = await ask(buildNameProbe(text), ...build(forgiving));
  return total(nameAfter) > 0 ? { form: exact, answers } : { form: forgiving, answers: oneOrMore(others) };
}

function isNamed({ name, aliases }: { name: string; aliases: readonly string[] }, text: TextQuery): boolean {
  return [name, ...aliases].some((known) => nameKey(known) === text.nameKey);
}

function total(answer: SearchResponse | undefined): number {
  return answer === undefined ? 0 : readTotal(answer).value;
}

function oneOrMore(answers: readonly SearchResponse[]): OneOrMore<SearchResponse> {
  const [first, ...others] = answers;
  if (first === undefined) throw new RangeError('nothing was asked');
  return [first, ...others];
}

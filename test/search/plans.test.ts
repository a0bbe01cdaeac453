import { expect, it } from 'vitest';
import { describePlan, describeText } from '#search/plans/describe-plan.ts';
import { withKnownFirst } from '#search/plans/exclusion-conditions.ts';
import { type PlannedQuery, planFuzzy, planLast, planStrict } from '#search/plans/plan-query.ts';
import type { Understanding } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { partsToLeave } from '#search/words/parts.ts';

const strict = [
  'radio in turkey',
  'everett herald',
  'news.bbc.co.uk',
  '"new york" -sports',
  'weekly magazines or blogs on health in kent',
  'magazines for bakers',
];

const planLastOf = (text: Understanding) =>
  planLast(text, { rarest: null, byRarity: [], isFound: true, farNames: false, mayLeavePlaces: false });

/** Plans as people read them, for what a text needs: a reviewer sees in them what a change of a plan does to a search. */
const printed = [
  ...strict.map((query) => print(query, 'strict', planStrict)),
  print('everet hearld', 'fuzzy', planFuzzy),
  print('quilt radio in texas', 'fuzzy', planFuzzy),
  print('quilt radio in texas', 'last', planLastOf),
  print('radio in chile not santiago', 'known first', (text) => withKnownFirst(text, planStrict(text) as PlannedQuery)),
  print('radio crete', 'last', planLastOf),
].join('\n');

function print(query: string, name: string, makePlan: (text: Understanding) => PlannedQuery | null): string {
  const text = understand(query);
  if (text === null) throw new Error(`${query} is empty`);
  const plan = makePlan(text);
  const lines = plan === null ? [] : describePlan(plan, text);
  return [`# ${query} (${name})`, ...describeText(text).map((line) => `- ${line}`), ...lines, ''].join('\n');
}

it('plans each text as its printed plan says', async () => {
  await expect(printed).toMatchFileSnapshot('../golden/plans.txt');
});

it('leaves out what hardly begins a word, and no network for it', () => {
  const left = (query: string) => partsToLeave(understand(query)?.parts ?? [], false).flatMap(({ words }) => words);
  expect(left('pbs ki')).toEqual(['ki']);
  expect(left('pbs kitten')).toEqual(['pbs', 'kitten']);
});

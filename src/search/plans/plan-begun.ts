import type { Understanding } from '../search-query.ts';
import { readUnfinished } from '../words/begun-words.ts';
import { askedParts, forgivingOneTypo } from './asked-parts.ts';
import type { CorrectedPlan } from './choice.ts';
import { joinPlans, type PlannedQuery, planStrict } from './plan-query.ts';

/* Plans of texts whose last word stands for something, and begins something else: who types may go on. */

/** The strict plan of a text whose last word begins others than it stands for; null for any other text. */
export function planBegun(text: Understanding): PlannedQuery | null {
  const parts = readUnfinished(text.parts, text.typedWords);
  return parts === null ? null : planStrict({ ...text, parts });
}

export const withBegun = (text: Understanding, plan: PlannedQuery, begun: PlannedQuery) =>
  joinPlans(text, plan, begun, 'what the last word begins');

/** What a last word stands for, then what it begins: `newspapers in ne` finds those in Nebraska, then names that go on so, as News does. */
export function joinBegun(
  text: Understanding,
  strict: PlannedQuery,
  begun: PlannedQuery,
  [numberWhole, numberBegun]: readonly [number, number],
): CorrectedPlan {
  return {
    name: 'strict',
    why: [
      `strict: answers, and what the last word begins follows: ${numberWhole} records have what it stands for, ${numberBegun} what it begins`,
    ],
    plan: withBegun(text, strict, begun),
    asked: askedParts(text, forgivingOneTypo),
  };
}

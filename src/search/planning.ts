import { chooseMediaPlan } from './choose-plan.ts';
import { chooseContactPlan, contactExclusions } from './contact-plan.ts';
import { exclusionConditions } from './exclusion-conditions.ts';
import type { SearchQuery } from './search-query.ts';

/** The door to every plan: how a text is planned for the rows of a query, and what none of these rows may meet. */
export function planningOf({ rows }: Pick<SearchQuery, 'rows'>) {
  return rows === 'contacts'
    ? { choose: chooseContactPlan, excluded: contactExclusions }
    : { choose: chooseMediaPlan, excluded: exclusionConditions };
}

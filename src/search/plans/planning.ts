import { allOf, anyOf, type Condition } from '../conditions/conditions.ts';
import type { SearchQuery, Understanding } from '../search-query.ts';
import type { Choice, ChosenPlan, Count } from './choice.ts';
import { chooseMediaPlan } from './choose-plan.ts';
import { chooseContactPlan, contactExclusions } from './contact-plan.ts';
import { exclusionConditions, withKnownFirst } from './exclusion-conditions.ts';

/** The door to every plan: how a text is planned for the rows of a query, and what none of these rows may meet. */
export function planningOf({ rows }: Pick<SearchQuery, 'rows'>): Planning {
  return rows === 'contacts' ? ofContacts : ofMedia;
}

interface Planning {
  choose: (text: Understanding) => Choice<ChosenPlan>;
  excluded: (text: Understanding) => Condition[];
}

const ofMedia = countingOthers({ choose: chooseKnownFirst, excluded: exclusionConditions });
const ofContacts = countingOthers({ choose: chooseContactPlan, excluded: contactExclusions });

function* chooseKnownFirst(text: Understanding): Choice<ChosenPlan> {
  const chosen = yield* chooseMediaPlan(text);
  return { ...chosen, plan: chosen.plan && withKnownFirst(text, chosen.plan) };
}

/** In records, more than any choice asks for. Where so many are excluded, those that are left are not told from the others. */
const mostExcluded = 40_000;

/** Counts only what a text does not exclude: of `news sites in new jersey -tapinto`, all that the strict plan finds may be excluded. */
function countingOthers({ choose, excluded }: Planning): Planning {
  return {
    excluded,
    *choose(text) {
      const exclusions = excluded(text);
      if (exclusions.length === 0) return yield* choose(text);
      const choosing = choose(text);
      let step = choosing.next();
      while (!step.done) {
        const { counts, likely } = step.value;
        const all = counts.map(({ condition }): Count => ({ condition, limit: mostExcluded }));
        const unwanted = counts.map(
          ({ condition }): Count => ({ condition: allOf([condition, anyOf(exclusions)]), limit: mostExcluded }),
        );
        const numberOf = yield { counts: [...all, ...unwanted], likely };
        const numbersLeft = all.map((count, place) => {
          const numberUnwanted = numberOf(unwanted[place] as Count);
          return numberOf(count) - (numberUnwanted < mostExcluded ? numberUnwanted : 0);
        });
        step = choosing.next((count) => Math.min(count.limit, numbersLeft[counts.indexOf(count)] ?? 0));
      }
      return step.value;
    },
  };
}

import { plansWith, type Right } from '#accounts/plans.ts';
import type { AppDeps } from '../app-deps.ts';

/** What a caller can do, as the page of plans compares it: names of formats and tools, none if there is nothing of the kind. */
export interface Abilities {
  /** Null: without a key. */
  tier: string | null;
  outletFormats: string[];
  allFormats: string[];
  tools: string[];
  requestsPerMinute: number;
}

/** Callers without a key, then those with each plan. */
export function comparePlans({ plans, formats, leadTools, rateLimits }: AppDeps): Abilities[] {
  const tiersWith = (right: Right) => new Set(plansWith(plans, right).map(({ tier }) => tier));
  const may = { outlets: tiersWith('export_outlets'), all: tiersWith('export_all'), push: tiersWith('push') };
  const titles = (things: readonly { title: string }[]) => things.map(({ title }) => title);
  const nothing = { tier: null, outletFormats: [], allFormats: [], tools: [] };
  return [
    { ...nothing, requestsPerMinute: rateLimits.anonymous },
    ...plans.map(({ tier }) => {
      const all = may.all.has(tier) ? titles(formats) : [];
      const outlets = may.outlets.has(tier) ? titles(formats.filter(({ right }) => right === 'export_outlets')) : [];
      return {
        tier,
        outletFormats: all.length > 0 ? all : outlets,
        allFormats: all,
        tools: may.push.has(tier) ? titles(leadTools) : [],
        requestsPerMinute: rateLimits[tier] ?? rateLimits.anonymous,
      };
    }),
  ];
}

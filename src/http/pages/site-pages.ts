import type { RequestHandler } from 'express';
import { plansWith, type Right } from '#accounts/plans.ts';
import { presentPlans } from '../api/purchase.ts';
import type { AppDeps } from '../app-deps.ts';
import { handleSharedPage, presentSending } from './page.ts';

export function handlePlansPage(deps: AppDeps): RequestHandler {
  return handleSharedPage(deps, 'plans', () => ({
    ...presentPlans(deps),
    compared: comparePlans(deps),
  }));
}

/** GET /claim: gives out a key, once. Its module does everything. */
export function handleClaimPage(deps: AppDeps): RequestHandler {
  return handleSharedPage(deps, 'claim', () => ({}));
}

/** GET /account: what the key of the tab gives, its use, and how to replace it. Only the tab has the key. */
export function handleAccountPage(deps: AppDeps): RequestHandler {
  return handleSharedPage(deps, 'account', () => ({}));
}

export function handleListsPage(deps: AppDeps): RequestHandler {
  return handleSharedPage(deps, 'lists', () => presentSending(deps));
}

/** What a caller can do, as the page of plans compares it: names of formats and tools. `tier`: null without a key. */
interface Abilities {
  tier: string | null;
  outletFormats: string[];
  allFormats: string[];
  tools: string[];
  requestsPerMinute: number;
}

/** Callers without a key, then those with each plan. */
function comparePlans({ plans, formats, leadTools, rateLimits }: AppDeps): Abilities[] {
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

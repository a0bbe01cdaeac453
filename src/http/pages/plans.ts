import type { RequestHandler } from 'express';
import { presentPlans } from '../api/plans.ts';
import type { AppDeps } from '../app-deps.ts';
import { comparePlans } from './compare-plans.ts';
import { listFormatNames } from './format-names.ts';
import { handleSharedPage } from './shared-page.ts';

/** GET /plans: what can be bought. */
export function handlePlansPage(deps: AppDeps): RequestHandler {
  return handleSharedPage(deps, 'plans', () => ({
    ...presentPlans(deps),
    compared: comparePlans(deps),
    serviceUrl: deps.publicUrl,
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

/** GET /lists: the records that somebody keeps in the browser. */
export function handleListsPage(deps: AppDeps): RequestHandler {
  return handleSharedPage(deps, 'lists', () => ({
    formats: listFormatNames(deps),
    tools: deps.leadTools.map(({ name, title }) => ({ name, title })),
  }));
}

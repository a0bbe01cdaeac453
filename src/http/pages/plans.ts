import type { RequestHandler } from 'express';
import { languages } from '#web/render.js';
import type { AppDeps } from '../app-deps.ts';
import { presentPlans } from '../endpoints/plans.ts';
import { handleAsset } from '../etags.ts';
import { chooseLanguage } from './choose-language.ts';
import { comparePlans } from './compare-plans.ts';
import { listFormatNames } from './format-names.ts';
import { createPageRenderer } from './web-page.ts';

/** GET /plans: what can be bought. */
export function handlePlansPage(deps: AppDeps): RequestHandler {
  return handlePage(deps, 'plans', { ...presentPlans(deps), compared: comparePlans(deps), serviceUrl: deps.publicUrl });
}

/** GET /claim: gives out a key, once. Its module does everything. */
export function handleClaimPage(deps: AppDeps): RequestHandler {
  return handlePage(deps, 'claim', {});
}

/** GET /account: what the key of the tab gives, its use, and how to replace it. Only the tab has the key. */
export function handleAccountPage(deps: AppDeps): RequestHandler {
  return handlePage(deps, 'account', {});
}

/** GET /lists: the records that somebody keeps in the browser. */
export function handleListsPage(deps: AppDeps): RequestHandler {
  return handlePage(deps, 'lists', { formats: listFormatNames(deps) });
}

/** A page that is the same for everybody who reads its language. */
function handlePage(deps: AppDeps, page: 'lists' | 'plans' | 'claim' | 'account', data: object): RequestHandler {
  const { render, policy } = createPageRenderer(deps);
  const headers = { 'Cache-Control': 'public, no-cache', 'Content-Security-Policy': policy };
  const query = new URLSearchParams();
  const handlers = new Map(
    languages.map((language) => [
      language,
      handleAsset(() => render({ page, language, data, query }), 'html', headers),
    ]),
  );
  return (req, res, next) => handlers.get(chooseLanguage(req, res))?.(req, res, next);
}

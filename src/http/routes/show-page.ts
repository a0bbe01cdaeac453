import type { RequestHandler } from 'express';
import type { AppDeps } from '../app-deps.ts';
import { keepAsset, makeAsset, sendAsset } from '../present/asset.ts';
import { type WebPage, webPage } from '../present/web-page.ts';

export const pages = {
  explorer: {
    title: 'Masthead: find media and their contacts',
    description: 'Search news outlets, podcasts and newsletters, with their contacts.',
    script: 'explorer.js',
    nav: 'search',
  },
  plans: {
    title: 'Plans – Masthead',
    description: 'Plans, prices and what each plan includes.',
    script: 'plans.js',
    nav: 'plans',
  },
  claim: { title: 'Your key – Masthead', description: 'Claim your API key.', script: 'claim.js', nav: null },
} as const satisfies Record<string, WebPage>;

/** GET of a page for people. It is the same for everybody: what is theirs, its script asks the API for. */
export function showPage({ webFiles, contactEmail }: AppDeps, page: WebPage): RequestHandler {
  const { html, policy } = webPage({ page, files: [...webFiles.keys()], contactEmail });
  const makePage = keepAsset(() => makeAsset(html, 'html'));
  return async (req, res) => {
    const asset = await makePage();
    res.set({ 'Cache-Control': 'public, no-cache', 'Content-Security-Policy': policy });
    sendAsset(req, res, asset);
  };
}

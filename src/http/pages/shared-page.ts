import type { RequestHandler } from 'express';
import type { AppDeps } from '../app-deps.ts';
import { handleAsset } from '../etags.ts';
import { createPageRenderer, type WebPage } from './web-page.ts';

/** GET of a page that is the same for everybody. `data` is made at the first request. */
export function handleSharedPage(
  deps: AppDeps,
  page: WebPage['page'],
  data: () => object,
  root: WebPage['root'] = './',
): RequestHandler {
  const { render, policy } = createPageRenderer(deps);
  const headers = { 'Cache-Control': 'public, no-cache', 'Content-Security-Policy': policy };
  return handleAsset(() => render({ page, root, data: data(), query: new URLSearchParams() }), 'html', headers);
}

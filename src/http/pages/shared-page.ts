import type { RequestHandler } from 'express';
import { languages } from '#web/render.js';
import type { AppDeps } from '../app-deps.ts';
import { handleAsset } from '../etags.ts';
import { chooseLanguage } from './choose-language.ts';
import { createPageRenderer, type WebPage } from './web-page.ts';

/** GET of a page that is the same for everybody who reads its language. `data` is made at the first request. */
export function handleSharedPage(
  deps: AppDeps,
  page: WebPage['page'],
  data: () => object,
  root: WebPage['root'] = './',
): RequestHandler {
  const { render, policy } = createPageRenderer(deps);
  const headers = { 'Cache-Control': 'public, no-cache', 'Content-Security-Policy': policy };
  const query = new URLSearchParams();
  const handlers = new Map(
    languages.map((language) => [
      language,
      handleAsset(() => render({ page, language, root, data: data(), query }), 'html', headers),
    ]),
  );
  return (req, res, next) => handlers.get(chooseLanguage(req, res))?.(req, res, next);
}

import type { RequestHandler } from 'express';
import { problems } from '#domain/problem.ts';
import type { AppDeps } from '../app-deps.ts';
import { handleAsset } from '../etags.ts';
import { createOpenApi, type OpenApiDeps } from '../openapi/create-openapi.ts';
import { escapeHtml, htmlPage } from '../present/html-page.ts';

/** GET /openapi.json: the whole API, for programs. */
export function handleOpenApi(deps: OpenApiDeps, describeApi: Parameters<typeof createOpenApi>[1]): RequestHandler {
  const headers = { 'Cache-Control': 'public, no-cache', 'Access-Control-Allow-Origin': '*' };
  return handleAsset(() => JSON.stringify(createOpenApi(deps, describeApi)), 'json', headers);
}

/** Scripts and styles only from here; Swagger UI has icons in data: URLs, and calls the API on request. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** GET /docs: the API reference, rendered by Swagger UI from /openapi.json, without third-party hosts. */
export function handleReference({ webFiles }: Pick<AppDeps, 'webFiles'>): RequestHandler {
  const pathOf = (name: string) => [...webFiles.keys()].find((path) => path.endsWith(`/${name}`)) ?? name;
  const page = htmlPage({
    title: 'API reference – Masthead',
    head: [
      '<link rel="icon" href="favicon.ico">',
      ...['swagger-ui.css', 'reference.css'].map((name) => `<link rel="stylesheet" href="${pathOf(name)}">`),
      ...['swagger-ui-bundle.js', 'reference.js'].map((name) => `<script src="${pathOf(name)}" defer></script>`),
    ],
    body: `<nav aria-label="Masthead"><a href="./">Masthead</a> <a href="plans">Plans</a> <a href="docs/errors">Errors</a> <a href="openapi.json">openapi.json</a></nav>
<main id="reference"><noscript>This page needs JavaScript. The same content is in <a href="openapi.json">openapi.json</a>.</noscript></main>`,
  });
  return (_req, res) => {
    res.set({ 'Cache-Control': 'public, no-cache', 'Content-Security-Policy': policy }).type('html').send(page);
  };
}

/** The Markdown in error descriptions, only `code`, as HTML. */
const toHtml = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const sections = Object.entries(problems).map(
  ([code, { status, title, doc }]) =>
    `<h2 id="${code}">${status} ${escapeHtml(title)} <code>${code}</code></h2>\n<p>${toHtml(doc)}</p>`,
);

const errorsPage = htmlPage({
  title: 'Errors – Masthead',
  body: `<main>
<h1>Errors</h1>
<p>Every error has the type application/problem+json (RFC 9457). Its <code>code</code> is stable and one of these.</p>
${sections.join('\n')}
</main>`,
});

/** GET /docs/errors: explains each code. The `type` of every error links here. */
export const handleErrors: RequestHandler = (_req, res) => {
  res.set('Cache-Control', 'public, max-age=3600').type('html').send(errorsPage);
};

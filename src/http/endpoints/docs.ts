import type { RequestHandler } from 'express';
import { problems } from '#domain/problem.ts';
import type { AppDeps } from '../app-deps.ts';
import { handleAsset } from '../etags.ts';
import { createOpenApi, type OpenApiDeps } from '../openapi/create-openapi.ts';

/** GET /openapi.json: the whole API, for programs. */
export function handleOpenApi(deps: OpenApiDeps, describePaths: Parameters<typeof createOpenApi>[1]): RequestHandler {
  const headers = { 'Cache-Control': 'public, no-cache', 'Access-Control-Allow-Origin': '*' };
  return handleAsset(() => JSON.stringify(createOpenApi(deps, describePaths)), 'json', headers);
}

/** Scripts and styles only from here; Swagger UI has icons in data: URLs, and calls the API on request. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** GET /docs: the API reference, rendered by Swagger UI from /openapi.json, without third-party hosts. */
export function handleReference({ webFiles }: Pick<AppDeps, 'webFiles'>): RequestHandler {
  const pathOf = (name: string) => [...webFiles.keys()].find((path) => path.endsWith(`/${name}`)) ?? name;
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference – Masthead</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${pathOf('swagger-ui.css')}">
<link rel="stylesheet" href="${pathOf('reference.css')}">
<script src="${pathOf('swagger-ui-bundle.js')}" defer></script>
<script src="${pathOf('reference.js')}" defer></script>
</head>
<body>
<nav aria-label="Masthead"><a href="./">Masthead</a> <a href="plans">Plans</a> <a href="docs/errors">Errors</a> <a href="openapi.json">openapi.json</a></nav>
<main id="reference"><noscript>This page needs JavaScript. The same content is in <a href="openapi.json">openapi.json</a>.</noscript></main>
</body>
</html>
`;
  return (_req, res) => {
    res.set({ 'Cache-Control': 'public, no-cache', 'Content-Security-Policy': policy }).type('html').send(page);
  };
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeHtml = (text: string) => text.replace(/[&<>]/g, (character) => entities[character] ?? character);

/** The Markdown in error descriptions, only `code`, as HTML. */
const toHtml = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const sections = Object.entries(problems).map(
  ([code, { status, title, doc }]) =>
    `<h2 id="${code}">${status} ${escapeHtml(title)} <code>${code}</code></h2>\n<p>${toHtml(doc)}</p>`,
);

const errorsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors – Masthead</title>
</head>
<body>
<main>
<h1>Errors</h1>
<p>Every error has the type application/problem+json (RFC 9457). Its <code>code</code> is stable and one of these.</p>
${sections.join('\n')}
</main>
</body>
</html>
`;

/** GET /docs/errors: explains each code. The `type` of every error links here. */
export const handleErrors: RequestHandler = (_req, res) => {
  res.set('Cache-Control', 'public, max-age=3600').type('html').send(errorsPage);
};

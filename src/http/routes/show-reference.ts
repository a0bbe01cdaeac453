import type { RequestHandler } from 'express';
import type { AppDeps } from '../app-deps.ts';

/** Scripts and styles only from here; Swagger UI has its icons in data: URLs, and asks the API when told to. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** GET /docs: the API reference, made by Swagger UI from /openapi.json, without anything from elsewhere. */
export function showReference({ webFiles }: Pick<AppDeps, 'webFiles'>): RequestHandler {
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

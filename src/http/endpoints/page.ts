import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { RequestHandler } from 'express';
import { fields, filterFields, identityFields, presenceFields, rangeBounds, rangeFields } from '#domain/fields.ts';
import type { AppDeps } from '../app-deps.ts';
import { handleAsset } from '../etags.ts';
import { escapeHtml, htmlPage } from '../present/html-page.ts';

/** A page of the explorer. Its script fills in the content. */
interface WebPage {
  title: string;
  /** One line for search engines and previews. */
  description: string;
  /** Its module, one of the web files. */
  script: string;
  nav: 'search' | 'plans' | null;
}

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

/** GET of a page for people. It is the same for everybody: its script asks the API for what is personal. */
export function handlePage(deps: AppDeps, page: WebPage): RequestHandler {
  const { html, policy } = webPage(page, deps);
  return handleAsset(() => html, 'html', { 'Cache-Control': 'public, no-cache', 'Content-Security-Policy': policy });
}

/** A sheet of paper with a masthead, as an icon. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%2314532d'/%3E%3Cpath d='M3 4h10v3H3zM3 9h6M3 12h10' stroke='%23fff' fill='%23fff'/%3E%3C/svg%3E";

/** The frame of a page, without its script's content, and its security policy. */
function webPage(page: WebPage, { webFiles, formats, contactEmail }: AppDeps): { html: string; policy: string } {
  const scripts = [...webFiles.keys()].filter((path) => path.startsWith('assets/') && path.endsWith('.js'));
  const importMap = JSON.stringify({ imports: { 'lit-html': fileNamed('lit-html.js'), 'lit-html/': litFolder() } });
  const hash = createHash('sha256').update(importMap).digest('base64');
  const current = (nav: WebPage['nav']) => (page.nav === nav ? ' aria-current="page"' : '');

  const html = htmlPage({
    title: page.title,
    head: [
      '<meta name="color-scheme" content="light dark">',
      `<meta name="description" content="${escapeHtml(page.description)}">`,
      `<link rel="icon" href="${icon}">`,
      '<link rel="stylesheet" href="assets/masthead.css">',
      `<script type="importmap">${importMap}</script>`,
      ...preloads(),
      `<script type="module" src="assets/${page.script}"></script>`,
    ],
    body: `<a class="skip" href="#page">Skip to the content</a>
<header class="top">
<a class="brand" href="./">Masthead</a>
<nav aria-label="Main"><a href="./"${current('search')}>Search</a> <a href="plans"${current('plans')}>Plans</a> <a href="docs">API</a></nav>
<div id="account"></div>
</header>
<main id="page" tabindex="-1"><noscript><p class="hint">This page needs JavaScript. The same data is in the <a href="docs">API</a>.</p></noscript></main>
<footer class="bottom">
<p>${optOut(contactEmail)}</p>
<p><a href="docs">API reference</a> · <a href="docs/errors">Errors</a> · <a href="openapi.json">OpenAPI</a></p>
</footer>
${dataScript('filters', filterInfos)}
${dataScript(
  'formats',
  formats.map(({ name, title }) => ({ name, title })),
)}`,
  });
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { html, policy };

  /** What the page will import, so the browser requests everything at once. */
  function preloads(): string[] {
    const entries = ['explorer.js', 'plans.js', 'claim.js'].filter((name) => name !== page.script);
    return scripts
      .filter((path) => !entries.some((name) => path === `assets/${name}`))
      .map((path) => `<link rel="modulepreload" href="${path}">`);
  }

  function fileNamed(name: string): string {
    return `./${scripts.find((path) => path.endsWith(`/${name}`)) ?? name}`;
  }

  function litFolder(): string {
    const file = fileNamed('lit-html.js');
    return file.slice(0, file.lastIndexOf('/') + 1);
  }
}

/** What the page's script reads by this id. */
function dataScript(id: string, data: object): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
}

function optOut(contactEmail: string | null): string {
  const question = 'Are you listed here and want to be removed?';
  if (contactEmail === null) return `${question} Ask the operator of this service to hide the record.`;
  const address = escapeHtml(contactEmail);
  return `${question} Write to <a href="mailto:${address}">${address}</a> with the outlet or the address, and it will be hidden everywhere, for good.`;
}

/** The filters of the registry, as the explorer shows them. */
const filterInfos = [
  ...filterFields
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map(({ filter, facet, vocabulary }) => ({
      parameter: filter.parameter,
      label: labelOf(filter.parameter),
      ...(facet ? { list: facet.list } : vocabulary && { values: vocabulary }),
    })),
  ...presenceFields.map(({ key, presence }) => ({
    parameter: presence.parameter,
    label: `With a known ${key === 'email' ? 'email' : 'contact person'}`,
    isSwitch: true,
  })),
  ...rangeFields.flatMap(({ type, range }) =>
    rangeBounds
      .map((bound) => range[bound])
      .filter((parameter) => parameter !== undefined)
      .map((parameter) => ({ parameter, label: labelOf(parameter), bound: type === 'date' ? 'date' : 'number' })),
  ),
  ...identityFields.map(({ identity: { parameter } }) => ({ parameter, label: labelOf(parameter) })),
];

/** Filters with facets come in the order of their lists, the others after them. */
function placeOf({ facet, key }: (typeof filterFields)[number]): number {
  return facet?.position ?? 100 + fields.findIndex((field) => field.key === key);
}

function labelOf(parameter: string): string {
  const words = parameter.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const versioned = /-\d+\.\d+\.\d+\//;

/**
 * GET of a file that pages load. Browsers may keep files with a version in their path forever; others are revalidated
 * each time, so versions never mix after an upgrade.
 */
export function handleWebFile(file: URL, path: string): RequestHandler {
  const cacheControl = versioned.test(path) ? 'public, max-age=31536000, immutable' : 'public, no-cache';
  return handleAsset(() => readFile(file), extname(path), { 'Cache-Control': cacheControl });
}

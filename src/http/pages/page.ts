import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { dirname, join, normalize } from 'node:path/posix';
import type { RequestHandler, Response } from 'express';
import { plansWith, tiersOf } from '#accounts/plans.ts';
import type { FieldDefinition } from '#records/field-definition.ts';
import { fields } from '#records/fields.ts';
import { type Problem, problems } from '#src/problem.ts';
import { trimEnd } from '#text/fold.ts';
import { cached } from '#text/memoize.ts';
import { type PageRequest, renderPage } from '#web/render.js';
import type { AppDeps } from '../app-deps.ts';
import { handleAsset, sendRevalidatableText } from '../send.ts';

type WebPage = Omit<PageRequest, 'contactEmail' | 'operator' | 'root' | 'fields'> & {
  root?: PageRequest['root'];
  head?: readonly string[];
};

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%2314532d'/%3E%3Cpath d='M3 4h10v3H3zM3 9h6M3 12h10' stroke='%23fff' fill='%23fff'/%3E%3C/svg%3E";

/** Marks a page that has a key before it is painted, so that what is only for others is never seen. The names are those of key.js. */
const markKey =
  "try{(sessionStorage['masthead-key']||localStorage['masthead-signed-in'])&&document.documentElement.classList.add('keyed')}catch{}";

const packages = { preact: 'preact.mjs', 'preact/hooks': 'hooks.mjs', htm: 'htm.mjs' };

/** Renders whole pages, with the policy that runs nothing but their modules. */
export function createPageRenderer({
  webFiles,
  contactEmail,
  operator,
}: Pick<AppDeps, 'webFiles' | 'contactEmail' | 'operator'>) {
  const paths = Object.fromEntries(Object.entries(packages).map(([name, file]) => [name, pathOf(file)]));
  const folder = dirname(pathOf('render.js'));
  const importMaps: Record<string, string> = { './': writeImportMap('./'), '../': writeImportMap('../') };
  const modules = new Map<string, string[]>();
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${[...Object.values(importMaps), markKey].map(hashSource).join(' ')}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { policy, render };

  function render({ root = './', head = [], ...page }: WebPage): string {
    const { title, description, script, body } = renderPage({
      ...page,
      root,
      contactEmail,
      operator,
      fields: shownFields,
    });
    return htmlPage({
      title,
      head: [
        `<script>${markKey}</script>`,
        '<meta name="color-scheme" content="light dark">',
        `<meta name="description" content="${escapeHtml(description)}">`,
        `<meta property="og:title" content="${escapeHtml(title)}">`,
        `<meta property="og:description" content="${escapeHtml(description)}">`,
        '<meta property="og:site_name" content="Masthead">',
        '<meta property="og:type" content="website">',
        `<link rel="icon" href="${icon}">`,
        `<link rel="stylesheet" href="${root}${folder}/masthead.css">`,
        ...(script === null ? [] : listScripts(script, root)),
        ...head,
      ],
      body,
    });
  }

  /**
   * The tags that load the modules of a page, all at once, after the styles: the page can be read and used without them.
   * Those of the pages where people work come when the browser has nothing to do: the next page is there at once.
   */
  function listScripts(script: string, root: string): string[] {
    const ownModules = new Set(modulesOf(script));
    const next = new Set(['explorer.js', 'lists.js'].flatMap(modulesOf)).difference(ownModules);
    return [
      `<script type="importmap">${importMaps[root]}</script>`,
      ...[...ownModules].map((path) => `<link rel="modulepreload" fetchpriority="low" href="${root}${path}">`),
      `<script type="module" fetchpriority="low" src="${root}${folder}/${script}"></script>`,
      ...[...next].map((path) => `<link rel="prefetch" href="${root}${path}">`),
    ];
  }

  function modulesOf(script: string): string[] {
    return cached(modules, script, () => listModules(`${folder}/${script}`, webFiles, paths));
  }

  function pathOf(file: string): string {
    return [...webFiles.keys()].find((path) => path.endsWith(`/${file}`)) ?? file;
  }

  function writeImportMap(root: string): string {
    const imports = Object.entries(paths).map(([name, path]) => [name, `${root}${path}`]);
    return JSON.stringify({ imports: Object.fromEntries(imports) });
  }
}

/** Names a script or a style of a page in its policy. */
export function hashSource(script: string): string {
  return `'sha256-${hash('sha256', script, 'base64')}'`;
}

/** Imports begin a line, or end one that begins with their bracket: those in a text of a module do not count. */
const imported = /^(?:import|\})[^'"\n]*from\s*["']([^"']+)["']/gm;

/** A module and all that it imports, directly or not: browsers request them at once. `importMap`: name to path. */
function listModules(
  entry: string,
  webFiles: AppDeps['webFiles'],
  importMap: Readonly<Record<string, string>>,
): string[] {
  const modules = new Set([entry]);
  for (const path of modules) {
    const [file] = webFiles.get(path) ?? [];
    if (file === undefined) throw new Error(`${path} is imported by a page, but not served: see web-files.ts.`);
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(imported)) {
      modules.add(importMap[specifier] ?? normalize(join(dirname(path), specifier)));
    }
  }
  return [...modules];
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

/** The frame of every page. `head` and `body` are HTML, the title is text. */
export function htmlPage({ title, head, body }: { title: string; head: readonly string[]; body: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${head.join('\n')}
</head>
<body>
${body}
</body>
</html>
`;
}

/** The path of the service's root, without a slash at its end. */
export function basePath(publicUrl: string): string {
  return trimEnd(new URL(publicUrl).pathname, '/');
}

/** Sends a page that depends on its URL. The status is that of its content. */
export async function answerPage(res: Response, page: string, policy: string): Promise<void> {
  res.set('Content-Security-Policy', policy);
  await sendRevalidatableText(res, page, 'html');
}

/** What a page shows of a problem that it was answered with; the answer takes its status. */
export function presentFault(problem: Problem, res: Response) {
  const { status, title } = problems[problem.code];
  res.status(status);
  const { errors = [] } = problem.extras;
  return {
    status,
    code: problem.code,
    title,
    detail: problem.message,
    errors,
    retryAfter: Number(res.get('Retry-After')) || null,
  };
}

/** What pages that export and push need to know of the service: the default format first, and the plans that may do what. */
export function presentSending({ formats, leadTools, plans }: AppDeps) {
  return {
    formats: formats.map(({ name, title, right, needsAddress }) => ({
      ...{ name, title, isForAll: right !== 'export_all', isOfLeads: needsAddress },
    })),
    tools: leadTools.map(({ name, title }) => ({ name, title })),
    wholePlans: tiersOf(plansWith(plans, 'export_all')),
    pushPlans: tiersOf(plansWith(plans, 'push')),
  };
}

/** GET of a page that is the same for everybody. `data` is made at the first request. */
export function handleSharedPage(
  deps: AppDeps,
  page: WebPage['page'],
  data: () => object = () => ({}),
  root: WebPage['root'] = './',
): RequestHandler {
  const { render, policy } = createPageRenderer(deps);
  const headers = { 'Cache-Control': 'public, no-cache', 'Content-Security-Policy': policy };
  return handleAsset(() => render({ page, root, data: data(), query: new URLSearchParams() }), 'html', headers);
}

const versioned = /-(?:\d+\.\d+\.\d+|[0-9a-f]{12})\//;

/** Files as one. Those versioned in their path stay cached, others are revalidated: an upgrade never mixes versions. */
export function handleWebFile(files: readonly URL[], path: string): RequestHandler {
  const cacheControl = versioned.test(path) ? 'public, max-age=31536000, immutable' : 'public, no-cache';
  const readFiles = () => Buffer.concat(files.map((file) => readFileSync(file)));
  return handleAsset(readFiles, extname(path), { 'Cache-Control': cacheControl });
}

/** What pages need to know of fields: in which part and under which label a record's page shows them, and the columns of tables. */
export const shownFields = {
  rows: (fields as readonly FieldDefinition[])
    .flatMap(({ shown, ...field }) => ('position' in shown ? [{ ...shown, ...formOf(field) }] : []))
    .sort((a, b) => a.position - b.position)
    .map(({ position: _, ...row }) => row),
  columns: [...Map.groupBy(fields as readonly FieldDefinition[], ({ column }) => column?.[0])]
    .flatMap(([name, [field]]) =>
      name === undefined || !field ? [] : [{ name, field: formOf(field), at: field.column?.[1] ?? 0 }],
    )
    .sort((a, b) => a.at - b.at)
    .map(({ at: _, ...column }) => column),
};

/** How a value of the field is written. `filter`: the parameter that finds records with the same value. */
function formOf({ key, type, vocabulary, filter }: Pick<FieldDefinition, 'key' | 'type' | 'vocabulary' | 'filter'>) {
  return { key, type, isWord: vocabulary !== undefined, filter: filter?.parameter ?? null };
}

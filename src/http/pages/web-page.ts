import { createHash } from 'node:crypto';
import { dirname } from 'node:path/posix';
import { type PageRequest, renderPage } from '#web/render.js';
import type { AppDeps } from '../app-deps.ts';
import { escapeHtml, htmlPage } from '../present/html-page.ts';
import { listModules } from './list-modules.ts';

export type WebPage = Omit<PageRequest, 'contactEmail' | 'root'> & {
  root?: PageRequest['root'];
  /** More tags of its head, as HTML. */
  head?: readonly string[];
};

/** A sheet of paper with a masthead, as an icon. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%2314532d'/%3E%3Cpath d='M3 4h10v3H3zM3 9h6M3 12h10' stroke='%23fff' fill='%23fff'/%3E%3C/svg%3E";

/** The packages that pages import, by the names of their files. */
const packages = { preact: 'preact.mjs', 'preact/hooks': 'hooks.mjs', 'preact-iso/lazy': 'lazy.js', htm: 'htm.mjs' };

/** Renders whole pages, with the policy that runs nothing but their modules. */
export function createPageRenderer({ webFiles, contactEmail }: Pick<AppDeps, 'webFiles' | 'contactEmail'>) {
  const paths = Object.fromEntries(Object.entries(packages).map(([name, file]) => [name, pathOf(file)]));
  const folder = dirname(pathOf('start.js'));
  const importMaps: Record<string, string> = { './': writeImportMap('./'), '../': writeImportMap('../') };
  const modules = new Map<string, string[]>();
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${Object.values(importMaps).map(hashSource).join(' ')}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { policy, render };

  function render({ root = './', head = [], ...page }: WebPage): string {
    const { title, description, script, body } = renderPage({ ...page, root, contactEmail });
    return htmlPage({
      title,
      head: [
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

  function listScripts(script: string, root: string): string[] {
    return [
      `<script type="importmap">${importMaps[root]}</script>`,
      `<script type="module" src="${root}${folder}/start.js"></script>`,
      `<template id="modules">${loadModules(script, root)}</template>`,
    ];
  }

  /** The tags that load the modules of a page, all at once. */
  function loadModules(script: string, root: string): string {
    const preloads = modulesOf(script).map((path) => `<link rel="modulepreload" href="${root}${path}">`);
    return `${preloads.join('')}<script type="module" src="${root}${folder}/${script}"></script>`;
  }

  function modulesOf(script: string): string[] {
    const known = modules.get(script) ?? listModules(`${folder}/${script}`, webFiles, paths);
    modules.set(script, known);
    return known;
  }

  function pathOf(file: string): string {
    return [...webFiles.keys()].find((path) => path.endsWith(`/${file}`)) ?? file;
  }

  function writeImportMap(root: string): string {
    const imports = Object.entries(paths).map(([name, path]) => [name, `${root}${path}`]);
    return JSON.stringify({ imports: Object.fromEntries(imports) });
  }
}

function hashSource(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

import { escapeHtml } from './pages/page.ts';

/** A feed (RFC 4287). Ids are IRIs that never change; times are ISO 8601. */
export interface AtomFeed {
  id: string;
  title: string;
  subtitle?: string;
  updated: string;
  self: string;
  author: string;
  entries: readonly AtomEntry[];
}

export interface AtomEntry {
  id: string;
  title: string;
  url: string;
  updated: string;
  categories: readonly string[];
  summary: string;
}

export function writeAtom({ id, title, subtitle, updated, self, author, entries }: AtomFeed): string {
  const head = [
    element('id', id),
    element('title', title),
    ...(subtitle === undefined ? [] : [element('subtitle', subtitle)]),
    element('updated', updated),
    `<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>`,
    `<author>${element('name', author)}</author>`,
  ];
  const feed = [...head, ...entries.map(writeEntry)].join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n${feed}\n</feed>\n`;
}

function writeEntry({ id, title, url, updated, categories, summary }: AtomEntry): string {
  return [
    '<entry>',
    element('id', id),
    element('title', title),
    `<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>`,
    element('published', updated),
    element('updated', updated),
    ...categories.map((term) => `<category term="${escapeXml(term)}"/>`),
    element('summary', summary),
    '</entry>',
  ].join('\n');
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

/** Escapes text for XML 1.0, and drops characters that it forbids. */
function escapeXml(text: string): string {
  return escapeHtml(text.toWellFormed().replace(/[[\p{Cc}--[\t\n]]\ufffe\uffff]/gv, ''));
}

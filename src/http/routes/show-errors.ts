import type { RequestHandler } from 'express';
import { problems } from '#domain/problem.ts';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeHtml = (text: string) => text.replace(/[&<>]/g, (character) => entities[character] ?? character);

/** The Markdown that descriptions of errors use, which is only `code`, as HTML. */
const toHtml = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const sections = Object.entries(problems).map(
  ([code, { status, title, doc }]) =>
    `<h2 id="${code}">${status} ${escapeHtml(title)} <code>${code}</code></h2>\n<p>${toHtml(doc)}</p>`,
);

const page = `<!doctype html>
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

/** GET /docs/errors: what each code means. The `type` of every error leads here. */
export const showErrors: RequestHandler = (_req, res) => {
  res.set('Cache-Control', 'public, max-age=3600').type('html').send(page);
};

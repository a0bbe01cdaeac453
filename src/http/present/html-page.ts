const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

/** The frame of every page. `head` and `body` are HTML, the title is text. */
export function htmlPage({
  title,
  head = [],
  body,
}: {
  title: string;
  head?: readonly string[];
  body: string;
}): string {
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

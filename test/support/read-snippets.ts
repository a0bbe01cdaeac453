/** The code that a page offers to copy, by way: `curl` and `export`. */
export type Snippets = Record<'curl' | 'export', string>;

/** Reads “This search as code” of the explorer, as its page says it. `query` begins with `?`. */
export async function readSnippets(serviceUrl: string, query: string): Promise<Snippets> {
  const html = await (await fetch(`${serviceUrl}/${query}`)).text();
  const found = html.matchAll(/<h3 id="code-(\w+)">[^<]*<\/h3><pre tabindex="0"><code>([^<]*)<\/code>/g);
  return Object.fromEntries(Array.from(found, ([, way, code = '']) => [way, unescapeHtml(code)])) as Snippets;
}

/** The commands of the guide at /docs, in order. */
export async function readGuide(serviceUrl: string): Promise<string[]> {
  const html = await (await fetch(`${serviceUrl}/docs`)).text();
  const [, guide = ''] = /<ol class="steps">(.*?)<\/ol>/s.exec(html) ?? [];
  return Array.from(guide.matchAll(/<code>([^<]*)<\/code><\/pre>/g), ([, code = '']) => unescapeHtml(code));
}

const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };

function unescapeHtml(html: string): string {
  return html.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => characters[name] ?? '');
}

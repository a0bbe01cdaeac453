import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, it } from 'vitest';
import { servePages } from '#test/browser/page-service.ts';
import { processEnvironment } from '#testing/processes.ts';
import { useFolders, useOne } from '#testing/use.ts';

/** Searches of each kind of parameter, and one whose text would do harm in careless code. Each finds this many. */
const searches: [string, number][] = [
  ['?q=hafenblatt', 45],
  ['?country=DE|!US&kind=outlet&has_email=1&min_audience=89990&updated_since=2025-12-31&sort=name', 11],
  ['?kind=podcast|newsletter', 3],
  [`?q=${encodeURIComponent('hafenblatt -"\'; touch harmed; \' `touch harmed` $(touch harmed) \\ \u202e"')}`, 45],
];

describe('“This search as code”', () => {
  const newFolder = useFolders();
  let folder: string;
  let key: string;
  const service = useOne(servePages, async (service) => {
    key = await service.issueKey('premium');
  });
  beforeEach(() => {
    folder = newFolder();
  });

  const run = async (program: string, args: readonly string[]) => {
    const env = processEnvironment({ KEY: key, MASTHEAD_KEY: key });
    return (await promisify(execFile)(program, args, { cwd: folder, env })).stdout;
  };

  it.each(searches)('finds with curl what the page finds: %s', async (query, total) => {
    const { curl } = await readSnippets(service.url, query);
    const answer = JSON.parse(await run('sh', ['-c', curl]));
    expect([answer.total, answer.masked]).toEqual([total, false]);
    expect(await readdir(folder)).not.toContain('harmed');
  });

  it.each(searches)('saves a file of all that the page finds: %s', async (query, total) => {
    const { export: command } = await readSnippets(service.url, query);
    await run('sh', ['-c', command]);
    const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.csv'));
    expect(parse(await readFile(join(folder, name), 'utf8'), { columns: true })).toHaveLength(total);
    expect(await readdir(folder)).not.toContain('harmed');
  });

  it('is like the commands of the guide, which all do what they say', async () => {
    const [search = '', narrow = '', withKey = '', take = '', errors = ''] = await readGuide(service.url);
    expect(JSON.parse(await run('sh', ['-c', search])).masked).toBe(true);
    expect(await run('sh', ['-c', narrow])).toContain('"countries":[');
    expect(await run('sh', ['-c', withKey])).toContain('"plan":"premium"');
    await run('sh', ['-c', take]);
    expect((await readdir(folder)).some((file) => file.endsWith('.csv'))).toBe(true);
    expect(JSON.parse(await run('sh', ['-c', errors])).errors).toMatchObject([
      { did_you_mean: 'country' },
      { did_you_mean: 'outlet' },
    ]);
  });
});

/** The code that a page offers to copy, by way: `curl` and `export`. */
type Snippets = Record<'curl' | 'export', string>;

/** Reads “This search as code” of the explorer, as its page says it. `query` begins with `?`. */
async function readSnippets(serviceUrl: string, query: string): Promise<Snippets> {
  const html = await (await fetch(`${serviceUrl}/${query}`)).text();
  const found = html.matchAll(/<h3 id="code-(\w+)">[^<]*<\/h3><pre tabindex="0"><code>([^<]*)<\/code>/g);
  return Object.fromEntries(Array.from(found, ([, way, code = '']) => [way, unescapeHtml(code)])) as Snippets;
}

/** The commands of the guide at /docs, in order. */
async function readGuide(serviceUrl: string): Promise<string[]> {
  const html = await (await fetch(`${serviceUrl}/docs`)).text();
  const [, guide = ''] = /id="five-minutes">.*?<ol>(.*?)<\/ol>/s.exec(html) ?? [];
  return Array.from(guide.matchAll(/<code>([^<]*)<\/code><\/pre>/g), ([, code = '']) => unescapeHtml(code));
}

const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };

function unescapeHtml(html: string): string {
  return html.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => characters[name] ?? '');
}

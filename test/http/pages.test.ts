import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { useFolder } from '#testing/use.ts';
import { createService, useService } from './test-service.ts';

const { backend, service } = useService();
const folder = useFolder();

/** The files that a page loads, by path. */
function listLoaded(html: string): string[] {
  const tags = [...html.matchAll(/<(?:link rel="(?:stylesheet|modulepreload)"|script type="module")[^>]*>/g)];
  return [...new Set(tags.map(([tag]) => /(?:href|src)="([^"]+)"/.exec(tag)?.[1] ?? tag))];
}

describe.each(['/', '/people', '/lists', '/plans', '/claim', '/account', '/docs'])('the page %s', (path) => {
  it('has a policy that runs only our own files, and its own import map', async () => {
    const page = await service.get(path);
    expect(page.status).toBe(200);
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'sha256-/);
    expect(policy).not.toContain('unsafe');
    const importMap = /<script type="importmap">(.*?)<\/script>/.exec(page.text)?.[1] ?? '';
    expect(policy).toContain(createHash('sha256').update(importMap).digest('base64'));
    // Scripts that run are files; the one other is data.
    expect(page.text).not.toMatch(/<style| style=| on\w+=/);
  });

  it('loads existing files, all relative, so that it also works below a path', async () => {
    const loaded = listLoaded((await service.get(path)).text);
    expect(loaded.length).toBeGreaterThan(10);
    for (const file of loaded) {
      expect(file).toMatch(/^\.\/assets\//);
      const answer = await service.get(file.slice(1));
      expect(answer.status, file).toBe(200);
      expect(answer.headers['content-type']).toMatch(file.endsWith('.css') ? /^text\/css/ : /javascript/);
      expect(answer.headers['cache-control']).toMatch(/immutable/);
      const again = await service
        .get(file.slice(1))
        .set({ 'If-None-Match': answer.headers.etag ?? '', 'Cache-Control': 'no-cache' });
      expect(again.status, file).toBe(304);
    }
  });

  it('leaves its modules behind its styles, without which it cannot be read', async () => {
    const { text } = await service.get(path);
    const [styles, ...modules] =
      text.match(/<(?:link rel="(?:stylesheet|modulepreload)"|script type="module")[^>]*>/g) ?? [];
    expect(styles).toContain('masthead.css');
    for (const module of modules) expect(module).toContain('fetchpriority="low"');
  });

  it('transfers at most 120 kB with everything it loads', async () => {
    const { text } = await service.get(path);
    let bytes = gzipSync(text).length;
    for (const file of listLoaded(text)) bytes += gzipSync((await service.get(file.slice(1))).text).length;
    expect(bytes).toBeLessThan(120_000);
  });

  it('says how to be removed from the list', async () => {
    expect((await service.get(path)).text).toContain('mailto:listings@masthead.example');
    const nameless = createService(backend, { contactEmail: null });
    expect((await nameless.get(path)).text).toContain('Ask the operator of this service');
  });
});

it('a file that could not be read once is read again at the next request', async () => {
  const file = join(folder, 'late.js');
  const { get } = createService(backend, { webFiles: new Map([['assets/late.js', [pathToFileURL(file)]]]) });
  expect((await get('/assets/late.js')).status).toBe(500);
  await writeFile(file, 'export const late = 1;');
  expect((await get('/assets/late.js')).status).toBe(200);
  // Once read it is kept.
  await rm(file);
  expect((await get('/assets/late.js')).text).toBe('export const late = 1;');
});

it('an unlisted file is not served', async () => {
  for (const path of [
    '/assets/tsconfig.json',
    '/assets/../web-files.ts',
    '/assets/render.d.ts',
    '/assets/',
    '/assets/preact-11.2.0/package.json',
  ]) {
    expect((await service.get(path)).status, path).toBe(404);
  }
});

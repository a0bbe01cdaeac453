import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';
import { dayMs } from '#text/days.ts';
import type { AppDeps } from '../app-deps.ts';
import { handleAsset } from '../send.ts';
import { basePath } from './page.ts';

type SiteDeps = Pick<AppDeps, 'publicUrl' | 'contactEmail'>;

const forAnHour = { 'Cache-Control': 'public, max-age=3600' };

/** GET /robots.txt (RFC 9309): crawlers read the pages of records, and leave alone what is computed for each caller or search. */
export function handleRobots({ publicUrl }: SiteDeps): RequestHandler {
  const root = basePath(publicUrl);
  const closed = ['/api/', '/sandbox/', '/?', '/people?'].map((path) => `Disallow: ${root}${path}`);
  return handleAsset(() => ['User-agent: *', ...closed, ''].join('\n'), 'txt', forAnHour);
}

/** RFC 9116 recommends less than a year. The file is made for each request, so it never gets this old. */
const securityFileDays = 180;

/** GET /.well-known/security.txt (RFC 9116): where to report a vulnerability. The file requires a contact. */
export function handleSecurityFile({ publicUrl, now }: AppDeps, contactEmail: string): RequestHandler {
  return (_req, res) => {
    const today = Math.floor(now().getTime() / dayMs);
    const lines = [
      `Contact: mailto:${encodeURI(contactEmail)}`,
      `Expires: ${new Date((today + securityFileDays) * dayMs).toISOString()}`,
      'Preferred-Languages: en',
      // Must be https.
      ...(publicUrl.startsWith('https:') ? [`Canonical: ${publicUrl}/.well-known/security.txt`] : []),
    ];
    res
      .set(forAnHour)
      .type('txt')
      .send(`${lines.join('\n')}\n`);
  };
}

const modelGuide = readFileSync(new URL('./llms.txt', import.meta.url), 'utf8');

/** GET /llms.txt (llmstxt.org): the service in a screen of Markdown, for language models and their tools. */
export function handleModelGuide({ publicUrl, contactEmail }: SiteDeps): RequestHandler {
  const contact = `- [Contact](mailto:${encodeURI(contactEmail ?? '')}): to be removed from the list\n`;
  const guide = modelGuide.replaceAll('{service}', () => publicUrl) + (contactEmail === null ? '' : contact);
  return handleAsset(() => guide, 'txt', forAnHour);
}

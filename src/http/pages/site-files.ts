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
  const closed = ['/api/', '/sandbox/', '/?'].map((path) => `Disallow: ${root}${path}`);
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

/** GET /llms.txt (llmstxt.org): the service in a screen of Markdown, for language models and their tools. */
export function handleModelGuide({ publicUrl, contactEmail }: SiteDeps): RequestHandler {
  return handleAsset(() => writeModelGuide(publicUrl, contactEmail), 'txt', forAnHour);
}

function writeModelGuide(publicUrl: string, contactEmail: string | null): string {
  const api = `${publicUrl}/api/v1`;
  return `# Masthead

> A media contact database: search news outlets, podcasts and newsletters, filter and count them, and get their contact emails.

Every answer is JSON. Searches need no key; emails are then masked, such as \`j***@example.org\`. With a plan, send the key in the
header \`Authorization: Bearer <key>\`, never in a URL. Errors have a stable \`code\` and say what to do. Unknown parameters are errors.
Answers under /api/v1 say in \`RateLimit\` how many requests are left; after 429 and 503, wait for the seconds in \`Retry-After\`.

Models can also search, count and look up media with the tools at ${publicUrl}/mcp (Model Context Protocol, streamable HTTP, same keys).

## API
- [Search](${api}/search?q=tech+newsletters&country=US): \`q\` takes names, words for kinds, topics, places and languages, or a host; filters are parameters
- [Facets](${api}/facets?kind=podcast): how many records each value of each filter has
- [Operations](${api}): every operation with its URL
- [Plans](${api}/plans): prices, and what each plan includes

## Documentation
- [OpenAPI document](${publicUrl}/openapi.json): every parameter, answer and error
- [API reference](${publicUrl}/docs): the same for people
- [Errors](${publicUrl}/docs/errors): every error code

## Optional
- [Explorer](${publicUrl}/): search in a browser
- [Buy a plan](${publicUrl}/plans): for people${contactEmail === null ? '' : `\n- [Contact](mailto:${encodeURI(contactEmail)}): to be removed from the list`}
`;
}

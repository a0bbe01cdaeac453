import { z } from 'zod';
import type { AppDeps } from '../app-deps.ts';
import { type Endpoint, header } from '../endpoint.ts';
import { type Endpoints, interfaceVersion, splitKey } from '../openapi.ts';
import { sendJson } from '../send.ts';

const linkShape = z
  .strictObject({
    operation: z.string().describe('The operationId in the OpenAPI document.'),
    method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']),
    href: z.string().describe('The URL, a template (RFC 6570) where it has `{…}`.'),
    summary: z.string(),
  })
  .meta({ id: 'ApiLink' });

const linksAnswer = z
  .strictObject({
    version: z.string().describe('The version of the API.'),
    documentation_url: z.url(),
    openapi_url: z.url(),
    mcp_url: z.url().optional().describe('Where models call the service, by the Model Context Protocol.'),
    links: z.array(linkShape),
  })
  .meta({ id: 'ApiLinks' });

/** GET /api/v1: every operation for callers, without those for operators (contract A15). */
export function links({ publicUrl }: Pick<AppDeps, 'publicUrl'>, listEndpoints: () => Endpoints): Endpoint {
  const found = () => ({
    version: interfaceVersion,
    documentation_url: `${publicUrl}/docs`,
    openapi_url: `${publicUrl}/openapi.json`,
    mcp_url: `${publicUrl}/mcp`,
    links: Object.entries(listEndpoints()).flatMap(([key, { tag, operationId: operation, summary }]) => {
      const { method, path } = splitKey(key);
      return tag === 'Operations' ? [] : [{ operation, method, href: publicUrl + path, summary }];
    }),
  });
  return {
    operationId: 'listLinks',
    tag: 'Media',
    summary: 'List what the API offers',
    description: 'Returns every operation for callers with its URL, and where the reference and this document are.',
    access: 'key or none',
    answer: {
      description: 'The operations.',
      schema: linksAnswer,
      example: {
        version: interfaceVersion,
        documentation_url: 'https://masthead.example/docs',
        openapi_url: 'https://masthead.example/openapi.json',
        mcp_url: 'https://masthead.example/mcp',
        links: [
          {
            operation: 'search',
            method: 'GET',
            href: 'https://masthead.example/api/v1/search',
            summary: 'Search media',
          },
        ],
      },
      headers: {
        Link: header('ServiceLinks', 'The reference (service-doc) and this document (service-desc), RFC 8631.'),
      },
    },
    errors: [],
    async handle(_req, res) {
      const answer = found();
      res.set('Link', `<${answer.documentation_url}>; rel="service-doc", <${answer.openapi_url}>; rel="service-desc"`);
      await sendJson(res, answer);
    },
  };
}

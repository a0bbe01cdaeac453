import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import type { AppDeps } from '../app-deps.ts';
import { type Api, always, createApi, jsonAnswer, keyOrNone } from '../openapi/api.ts';
import { interfaceVersion } from '../openapi/create-openapi.ts';
import { links } from '../openapi/headers.ts';
import { sendJson } from '../send-compressed.ts';

type LinksDeps = Pick<AppDeps, 'publicUrl' | 'plans' | 'formats' | 'leadTools'>;

/** GET /api/v1: what can be called, taken from the OpenAPI document (contract A15). */
export function handleLinks(deps: LinksDeps, describePaths: (api: Api) => ZodOpenApiPathsObject): RequestHandler {
  const { publicUrl } = deps;
  const [reference, document] = [`${publicUrl}/docs`, `${publicUrl}/openapi.json`];
  let answer: z.output<typeof linksAnswer> | undefined;
  return async (_req, res) => {
    answer ??= {
      version: interfaceVersion,
      documentation_url: reference,
      openapi_url: document,
      mcp_url: `${publicUrl}/mcp`,
      links: listLinks(publicUrl, describePaths(createApi(deps))),
    };
    res.set('Link', `<${reference}>; rel="service-doc", <${document}>; rel="service-desc"`);
    await sendJson(res, answer);
  };
}

/** The operations for callers; those for operators are left out. */
function listLinks(publicUrl: string, paths: ZodOpenApiPathsObject): z.output<typeof linkShape>[] {
  return Object.entries(paths).flatMap(([path, { get, post, patch, delete: remove }]) =>
    Object.entries({ GET: get, POST: post, PATCH: patch, DELETE: remove }).flatMap(([method, operation]) =>
      operation === undefined || operation.tags?.includes('Operations')
        ? []
        : {
            operation: operation.operationId ?? '',
            method: method as 'GET' | 'POST' | 'PATCH' | 'DELETE',
            href: `${publicUrl}${path}`,
            summary: operation.summary ?? '',
          },
    ),
  );
}

const linkShape = z
  .strictObject({
    operation: z.string().describe('The operationId in the OpenAPI document.'),
    method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']),
    href: z.string().describe('The URL, a template (RFC 6570) where it has `{…}`.'),
    summary: z.string(),
  })
  .meta({ id: 'ApiLink' });

export const linksAnswer = z
  .strictObject({
    version: z.string().describe('The version of the API.'),
    documentation_url: z.url(),
    openapi_url: z.url(),
    mcp_url: z.url().optional().describe('Where models call the service, by the Model Context Protocol.'),
    links: z.array(linkShape),
  })
  .meta({ id: 'ApiLinks' });

const example = {
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
};

export function describeLinks({ problems }: Api): ZodOpenApiOperationObject {
  return {
    operationId: 'listLinks',
    tags: ['Media'],
    summary: 'List what the API offers',
    description: 'Returns every operation for callers with its URL, and where the reference and this document are.',
    security: keyOrNone,
    responses: {
      200: jsonAnswer('The operations.', linksAnswer, example, links),
      ...problems([...always, 'key_invalid']),
    },
  };
}

import type { Response } from 'express';
import { z } from 'zod';
import { problems } from '#src/problem.ts';
import { answerObject, header } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import { type Endpoint, textsOf } from '../endpoint.ts';
import { type Endpoints, interfaceVersion, splitKey } from '../openapi.ts';
import { quote } from '../parse/faults.ts';
import { documentedAs, wordParameter } from '../parse/parameter-kinds.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { sendJson } from '../send.ts';

const linksAnswer = answerObject('ApiLinks', {
  version: z.string().describe('The version of the API.'),
  documentation_url: z.url(),
  openapi_url: z.url(),
  mcp_url: z.url().optional().describe('Where models call the service, by the Model Context Protocol.'),
  links: z.array(
    answerObject('ApiLink', {
      operation: z.string().describe('The operationId in the OpenAPI document.'),
      method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']),
      href: z.string().describe('The URL, a template (RFC 6570) where it has `{…}`.'),
      summary: z.string(),
    }),
  ),
});

export function links({ publicUrl }: Pick<AppDeps, 'publicUrl'>, listEndpoints: () => Endpoints): Endpoint {
  return {
    operationId: 'listLinks',
    access: 'key or none',
    scope: 'any',
    answer: {
      schema: linksAnswer,
      headers: {
        Link: header('ServiceLinks'),
      },
    },
    async handle(_req, res) {
      const answer = {
        version: interfaceVersion,
        documentation_url: `${publicUrl}/docs`,
        openapi_url: `${publicUrl}/openapi.json`,
        mcp_url: `${publicUrl}/mcp`,
        links: Object.entries(listEndpoints()).flatMap(([key, endpoint]) => {
          const { method, path } = splitKey(key);
          const { tag, operationId: operation, summary } = textsOf(endpoint);
          return tag === 'Operations' ? [] : [{ operation, method, href: publicUrl + path, summary }];
        }),
      };
      res.set('Link', `<${answer.documentation_url}>; rel="service-doc", <${answer.openapi_url}>; rel="service-desc"`);
      await sendJson(res, answer);
    },
  };
}

export function health(): Endpoint {
  return {
    operationId: 'health',
    access: 'open',
    query: 'ignored',
    answer: { schema: z.strictObject({ status: z.literal('ok') }) },
    handle: (_req, res) => void res.set('Cache-Control', 'no-store').json({ status: 'ok' }),
  };
}

const readinessParameters = z.object({
  for: wordParameter(['search'], (typed) => `${quote(typed)} is nothing to be ready for. Use search, or leave it out.`)
    .optional()
    .meta({ override: documentedAs({ type: 'string', enum: ['search', ''] }) })
    .describe(
      '`search`: fails only if searches do, for balancers of several servers. Absent: fails also if nothing can be stored.',
    ),
});

export function readiness({ listMissing }: Pick<AppDeps, 'listMissing'>): Endpoint {
  return {
    operationId: 'readiness',
    access: 'open',
    query: readinessParameters,
    answer: { schema: z.strictObject({ status: z.literal('ready') }) },
    others: {
      400: {
        description: `\`invalid_request\`: ${problems.invalid_request.doc}`,
        schema: { 'application/problem+json': { schema: z.looseObject({ code: z.literal('invalid_request') }) } },
      },
      503: {
        description: 'The service is not ready; `missing` says why.',
        schema: z.strictObject({ status: z.literal('not ready'), missing: z.array(z.string()) }),
      },
    },
    async handle(req, res) {
      const { values } = readParameters(req.originalUrl, readinessParameters);
      sendReadiness(res, await listMissing(values.for ?? 'everything'));
    },
  };
}

export function sendReadiness(res: Response, missing: readonly string[]): void {
  const isReady = missing.length === 0;
  res.status(isReady ? 200 : 503).set('Cache-Control', 'no-store');
  res.json(isReady ? { status: 'ready' } : { status: 'not ready', missing });
}
